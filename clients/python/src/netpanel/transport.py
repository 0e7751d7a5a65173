from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
import zlib
from typing import Any, Iterator, Mapping
from urllib.parse import urlsplit

from .errors import ApiError, IncompleteResponse, NetpanelError
from .notices import show_warnings
from .retry import Retry

_CHUNK = 64 * 1024
_RETRIED = (429, 503)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """netpanel does not redirect, and another host must not get the token."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Response:
    """A response whose body is still to be read."""

    def __init__(self, raw: http.client.HTTPResponse) -> None:
        self._raw = raw
        self.status = raw.status
        self.headers = raw.headers

    def chunks(self) -> Iterator[bytes]:
        """The decoded body. Raises IncompleteResponse if the connection ends before its end."""
        is_gzip = self.headers.get("Content-Encoding") == "gzip"
        decoder = zlib.decompressobj(wbits=31) if is_gzip else None
        try:
            with self._raw:
                # Not readline(): it takes the end of the connection for the end of a chunked body.
                while chunk := self._raw.read(_CHUNK):
                    yield decoder.decompress(chunk) if decoder else chunk
        except (http.client.IncompleteRead, ConnectionError) as error:
            raise IncompleteResponse("The connection ended before the end of the response") from error
        if decoder is not None:
            yield decoder.flush()
            if not decoder.eof:
                raise IncompleteResponse("The compressed response is incomplete")

    def lines(self) -> Iterator[bytes]:
        rest = b""
        for chunk in self.chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
        if rest:
            raise IncompleteResponse("The response ends within a row")

    def json(self) -> Any:
        body = json.loads(b"".join(self.chunks()))
        if isinstance(body, dict):
            show_warnings(body.get("warnings") or [])
        return body


class Transport:
    """Sends requests to one service, and repeats them as `retry` allows."""

    def __init__(self, url: str, authorization: str, retry: Retry, timeout_s: float) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"The URL must start with http:// or https://, not {url!r}")
        self._url = url.rstrip("/")
        self._authorization = authorization
        self._retry = retry
        self._timeout_s = timeout_s
        self._opener = urllib.request.build_opener(_NoRedirect)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        is_repeatable: bool = True,
    ) -> Response:
        """`is_repeatable`: whether the request may be sent again when it is unknown whether it arrived."""
        request = urllib.request.Request(
            self._url + path,
            method=method,
            data=body if body is None or isinstance(body, bytes) else json.dumps(body).encode(),
            headers={
                "Authorization": self._authorization,
                "Accept": "application/json",
                "Accept-Encoding": "gzip",
                **({} if body is None else {"Content-Type": "application/json"}),
                **(headers or {}),
            },
        )
        return self._repeat(request, is_repeatable)

    def download(self, url: str) -> Response:
        """The file of an export. Its link needs no token, and may lead to an object store, which must not get one."""
        plain = urllib.request.Request(url, headers={"Accept-Encoding": "identity"})
        return self._repeat(plain, is_repeatable=True)

    def json(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        return self.send(method, path, body, **options).json()

    def _repeat(self, request: urllib.request.Request, is_repeatable: bool) -> Response:
        attempt = 0
        while True:
            attempt += 1
            try:
                return Response(self._opener.open(request, timeout=self._timeout_s))
            except urllib.error.HTTPError as error:
                failure: NetpanelError = _api_error(error)
                is_retried = error.code in _RETRIED
                retry_after = error.headers.get("Retry-After")
                cause: Exception = error
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                reason = getattr(error, "reason", error)
                failure = NetpanelError(f"{self._url} cannot be reached: {reason}")
                # A refused connection has not delivered the request.
                is_retried = is_repeatable or isinstance(reason, ConnectionRefusedError)
                retry_after = None
                cause = error
            wait_s = self._retry.wait_s(attempt, retry_after) if is_retried else None
            if wait_s is None:
                raise failure from cause
            time.sleep(wait_s)


def _api_error(error: urllib.error.HTTPError) -> ApiError:
    with error:
        content = error.read()
    if error.headers.get("Content-Encoding") == "gzip":
        content = zlib.decompress(content, wbits=31)
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    return ApiError.of(error.code, body, error.headers.get("X-Request-Id"))
