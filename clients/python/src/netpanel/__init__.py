"""Client of netpanel: measurements of broadband panels as rows, data frames and files."""

from .client import Client
from .errors import (
    ApiError,
    ExportFailed,
    ExportTimeout,
    IncompleteResponse,
    NetpanelError,
    RateLimited,
    ValidationError,
)
from .exports import Export
from .ingest import IngestClient
from .metadata import MetadataClient
from .notices import NetpanelWarning
from .retry import Retry
from .rows import Rows

__all__ = [
    "ApiError",
    "Client",
    "Export",
    "ExportFailed",
    "ExportTimeout",
    "IncompleteResponse",
    "IngestClient",
    "MetadataClient",
    "NetpanelError",
    "NetpanelWarning",
    "RateLimited",
    "Retry",
    "Rows",
    "ValidationError",
]
