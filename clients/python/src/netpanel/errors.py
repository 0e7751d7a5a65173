from __future__ import annotations

from typing import Any, Mapping


class NetpanelError(Exception):
    """Base of all errors of this package."""


class ApiError(NetpanelError):
    """The service refused a request. `errors` has the messages by field of the request."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        errors: Mapping[str, list[str]] | None = None,
        request_id: str | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.errors = dict(errors or {})
        self.request_id = request_id
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [f"{self.status} {self.code}: {self.message}"]
        lines += [f"  {path}: {' '.join(texts)}" for path, texts in self.errors.items()]
        if self.request_id is not None and self.status >= 500:
            lines.append(f"  request id: {self.request_id}")
        return "\n".join(lines)

    @staticmethod
    def of(status: int, body: Any, request_id: str | None) -> ApiError:
        """The error of a response. A proxy in between may send something else than JSON."""
        envelope = body if isinstance(body, dict) else {}
        kind = {422: ValidationError, 429: RateLimited}.get(status, ApiError)
        return kind(
            status,
            str(envelope.get("code", "UNKNOWN_ERROR")),
            str(envelope.get("message", "The response is not from netpanel")),
            envelope.get("errors"),
            request_id,
        )


class ValidationError(ApiError):
    """422: the request is invalid. `errors` names each field and what to send instead."""


class RateLimited(ApiError):
    """429 after all attempts, or the service asks to wait longer than `Retry.max_wait_s`."""


class IncompleteResponse(NetpanelError):
    """The connection ended within the response: the rows so far are not all of them."""


class ExportFailed(NetpanelError):
    """The export failed, was cancelled, has expired or was erased."""


class ExportTimeout(NetpanelError):
    """The export still runs. `Export.id` of `export` finds it again."""
