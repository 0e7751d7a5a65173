from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence
from urllib.parse import quote

from .pages import all_pages
from .retry import Retry
from .rows import Row
from .transport import Transport


class MetadataClient:
    """The metadata interface: the metadata of agents and its history."""

    def __init__(
        self, url: str, token: str, *, retry: Retry = Retry(), timeout_s: float = 60.0
    ) -> None:
        self._transport = Transport(url, f"Bearer {token}", retry, timeout_s)

    def get(self, field: str, value: str | int) -> Row:
        """The current metadata of an agent. `field` is agent, unit or mac."""
        metadata: Row = self._transport.json("GET", _agent_path(field, value))["data"]
        return metadata

    def history(self, field: str, value: str | int, *, limit: int = 1000) -> Iterator[Row]:
        """All validity periods of an agent's metadata, newest first. `limit` is the size of a page."""
        return all_pages(self._transport, f"{_agent_path(field, value)}/history?limit={limit}")

    def change(
        self,
        agent: Mapping[str, Any],
        metadata: Mapping[str, Any],
        *,
        backdate_from: int | None = None,
        overwrite_all: bool = False,
        followed_by: Sequence[Mapping[str, Any]] = (),
    ) -> Row:
        """Changes the metadata of all matching agents, from `backdate_from` (seconds since 1970) on.

        Returns the response with `version`, the metadata version that a data request can demand.
        """
        body: dict[str, Any] = {"agent": dict(agent), "metadata": dict(metadata)}
        if backdate_from is not None:
            body["backdate_from"] = backdate_from
        if overwrite_all:
            body["overwrite_all"] = True
        if followed_by:
            body["followed_by"] = [dict(step) for step in followed_by]
        response = self._transport.send("PUT", "/metadata", body, is_repeatable=False)
        version = response.headers.get("Netpanel-Metadata-Version")
        return {**response.json(), "version": None if version is None else int(version)}


def _agent_path(field: str, value: str | int) -> str:
    return f"/metadata/{quote(field, safe='')}/{quote(str(value), safe='')}"
