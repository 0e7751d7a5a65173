from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Literal, Mapping

from .errors import ExportFailed, ExportTimeout, IncompleteResponse
from .transport import Transport

ExportFormat = Literal["csv", "csv.gz", "parquet"]

_FIRST_POLL_S = 0.2
_LAST_POLL_S = 5.0


@dataclass(frozen=True)
class Export:
    """An export and its state when it was read."""

    id: str
    status: str
    rows: int
    bytes: int
    percent: int | None
    url: str | None
    failure: Mapping[str, str] | None

    @staticmethod
    def of(data: Mapping[str, Any]) -> Export:
        return Export(
            id=data["id"],
            status=data["status"],
            rows=data["rows"],
            bytes=data["bytes"],
            percent=data["percent"],
            url=data.get("url"),
            failure=data.get("failure"),
        )


class Exports:
    """Starts exports, waits for them and saves their files."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(self, kind: str, request: Mapping[str, Any], format: ExportFormat) -> Export:
        """`kind` is metric_data or test_data."""
        answer = self._transport.json(
            "POST",
            f"/{kind}_download",
            {**request, "format": format},
            # The response is the state of the export, even if the file is ready at once.
            headers={"Prefer": "respond-async"},
            # Repeating it could start a second export.
            is_repeatable=False,
        )
        return Export.of(answer["data"])

    def read(self, id: str) -> Export:
        return Export.of(self._transport.json("GET", f"/exports/{id}")["data"])

    def cancel(self, id: str) -> None:
        self._transport.json("DELETE", f"/exports/{id}")

    def wait(
        self,
        export: Export,
        timeout_s: float,
        progress: Callable[[Export], None] | None = None,
    ) -> Export:
        """Polls until the file is ready. Ctrl-C and other exceptions cancel the export; a timeout does not."""
        deadline = time.monotonic() + timeout_s
        poll_s = _FIRST_POLL_S
        try:
            while export.status == "running":
                if time.monotonic() > deadline:
                    raise ExportTimeout(f"Export {export.id} is not ready after {timeout_s:g} seconds")
                time.sleep(poll_s)
                poll_s = min(_LAST_POLL_S, poll_s * 1.5)
                export = self.read(export.id)
                if progress is not None:
                    progress(export)
        except ExportTimeout:
            raise
        except BaseException:
            self.cancel(export.id)
            raise
        if export.status != "ready":
            failure = export.failure or {"code": export.status.upper(), "message": "There is no file"}
            raise ExportFailed(f"Export {export.id}: {failure['code']}: {failure['message']}")
        return export

    def save(self, export: Export, path: str | os.PathLike[str]) -> Path:
        """Downloads the file. It appears under its name only when complete."""
        target = Path(path)
        partial = target.with_name(target.name + ".partial")
        received = 0
        try:
            with partial.open("wb") as file:
                for chunk in self._transport.download(export.url or "").chunks():
                    received += file.write(chunk)
            if received != export.bytes:
                raise IncompleteResponse(f"{target}: {received} of {export.bytes} bytes were received")
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        return target
