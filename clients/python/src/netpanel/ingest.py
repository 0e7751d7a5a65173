from __future__ import annotations

import gzip
import json
import uuid
from datetime import datetime, timezone
from typing import Any, Iterable, Mapping
from urllib.parse import quote, urlencode

from .retry import Retry
from .rows import Row
from .transport import Transport


class IngestClient:
    """The ingestion interface: sends results of tests. The token needs the scope results:write."""

    def __init__(
        self, url: str, token: str, *, retry: Retry = Retry(), timeout_s: float = 120.0
    ) -> None:
        self._transport = Transport(url, f"Bearer {token}", retry, timeout_s)

    def send(
        self,
        test: str,
        rows: Iterable[Mapping[str, Any]],
        *,
        atomic: bool = False,
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Row:
        """Sends rows in one request, and returns when ClickHouse has them: the counts, and the first rejected rows.

        A request of more than 64 MiB is refused: send some thousand rows at a time. It is repeated after 429, 503 and a
        lost connection, which stores no result twice. `dtime` may be a datetime with a time zone. ValidationError: all
        rows are invalid, or one is and the request is `atomic`.
        """
        flags = {name: "true" for name, is_set in (("atomic", atomic), ("replace", replace)) if is_set}
        lines = (json.dumps(row, default=_time).encode() + b"\n" for row in rows)
        receipt: Row = self._transport.json(
            "POST",
            f"/results/{quote(test, safe='')}" + (f"?{urlencode(flags)}" if flags else ""),
            gzip.compress(b"".join(lines), compresslevel=6, mtime=0),
            headers={
                "Content-Type": "application/x-ndjson",
                "Content-Encoding": "gzip",
                # A repeated request gets the counts of the first one.
                "Idempotency-Key": idempotency_key or str(uuid.uuid4()),
            },
        )["data"]
        return receipt

    def send_lmap_report(self, report: Mapping[str, Any]) -> Row:
        """Sends an LMAP report (RFC 8194). Returns the counts by test, and the functions that were ignored."""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        receipt: Row = self._transport.json("POST", "/lmap/reports", dict(report), headers=key)["data"]
        return receipt


def _time(value: Any) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: results need UTC times")
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    raise TypeError(f"{value!r} cannot be sent as JSON")
