"""The running stack that the tests query: `set -a; . .local/env; set +a`, or started by the tests of netpanel."""

import os

from netpanel import Client, IngestClient, MetadataClient

QUERY_URL = os.environ.get("QUERY_URL", "")
METADATA_URL = os.environ.get("METADATA_URL", "")
INGEST_URL = os.environ.get("INGEST_URL", "")
WEEK = ("2026-11-01", "2026-11-07")

if not QUERY_URL or not METADATA_URL or not INGEST_URL:
    raise RuntimeError("QUERY_URL, METADATA_URL and INGEST_URL are not set: start a stack with make run, and read .local/env")


def data_client(url: str = QUERY_URL, **options: object) -> Client:
    return Client(url, os.environ["DEMO_DATA_TOKEN"], **options)  # type: ignore[arg-type]


def metadata_client() -> MetadataClient:
    return MetadataClient(METADATA_URL, os.environ["DEMO_METADATA_TOKEN"])


def ingest_client() -> IngestClient:
    return IngestClient(INGEST_URL, os.environ["DEMO_INGEST_TOKEN"])
