"""A proxy before the real service that answers the first requests with errors, or cuts a response."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .stack import QUERY_URL


class DisturbedService:
    """`refusals` are (status, headers) for the first requests; None closes the connection without a response."""

    def __init__(self, refusals: list[tuple[int, dict[str, str]] | None], cut_after: int | None = None) -> None:
        self.refusals = list(refusals)
        self.cut_after = cut_after
        self.paths: list[str] = []
        self.tokens: list[str | None] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                service._answer(self, None)

            def do_POST(self) -> None:
                service._answer(self, self.rfile.read(int(self.headers["Content-Length"])))

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> DisturbedService:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler, body: bytes | None) -> None:
        self.paths.append(handler.path)
        self.tokens.append(handler.headers.get("Authorization"))
        handler.close_connection = True
        if self.refusals:
            refusal = self.refusals.pop(0)
            if refusal is None:
                handler.connection.shutdown(socket.SHUT_RDWR)
                return
            self._refuse(handler, *refusal)
            return
        self._forward(handler, body)

    def _refuse(self, handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str]) -> None:
        content = b'{"code":"RATE_LIMITED","message":"Too many requests"}'
        handler.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    def _forward(self, handler: BaseHTTPRequestHandler, body: bytes | None) -> None:
        kept = {name: value for name, value in handler.headers.items() if name != "Host"}
        request = urllib.request.Request(QUERY_URL + handler.path, data=body, headers=kept)
        with urllib.request.urlopen(request) as response:
            content = response.read()
            handler.send_response(response.status)
            for name, value in response.headers.items():
                if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                    handler.send_header(name, value)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        end = len(content) if self.cut_after is None else self.cut_after
        handler.wfile.write(b"%x\r\n%s\r\n" % (end, content[:end]))
        if self.cut_after is None:
            handler.wfile.write(b"0\r\n\r\n")
