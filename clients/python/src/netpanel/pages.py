from __future__ import annotations

from typing import Any, Iterator
from urllib.parse import urlsplit

from .transport import Transport


def all_pages(transport: Transport, path: str) -> Iterator[Any]:
    """The items of all pages. The next page is requested when the last item of a page was used."""
    next_path: str | None = path
    while next_path is not None:
        page = transport.json("GET", next_path)
        yield from page["data"]
        next_path = _path_of(page.get("next"))


def _path_of(link: str | None) -> str | None:
    """`next` may be a URL under PUBLIC_URL. The host stays that of the client, which alone may get the token."""
    if link is None:
        return None
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"
