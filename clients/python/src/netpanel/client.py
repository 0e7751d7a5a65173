from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence
from urllib.parse import quote, urlencode

from .exports import Export, ExportFormat, Exports
from .fields import METRIC_FIELDS
from .notices import show_warnings
from .pages import all_pages
from .retry import Retry
from .rows import Row, Rows
from .transport import Response, Transport

Range = tuple[str, str]
Values = str | Sequence[str]

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .fields import Aggregation, MetricFields

    class RequestFields(MetricFields, total=False):
        aggregation: Aggregation | None
        splits: Sequence[str]
        include: Mapping[str, Values] | None
        exclude: Mapping[str, Values] | None
        normalised: bool
        prefilter: bool

_ARGUMENTS = ("aggregation", "splits", "include", "exclude", "normalised", "prefilter")
_NDJSON = {"Accept": "application/x-ndjson"}


class Client:
    """The data interface: metric data, test data, exports and listings.

    Requests are repeated after 429 and 503 (`retry`). `timeout_s` is the longest silence of the service.
    """

    def __init__(
        self, url: str, token: str, *, retry: Retry = Retry(), timeout_s: float = 300.0
    ) -> None:
        self._transport = Transport(url, token, retry, timeout_s)
        self.exports = Exports(self._transport)

    @staticmethod
    def from_env(**options: Any) -> Client:
        """Reads QUERY_URL and DATA_TOKEN, and DEMO_DATA_TOKEN of the local stack if there is no other token."""
        token = os.environ.get("DATA_TOKEN") or os.environ.get("DEMO_DATA_TOKEN")
        if not token:
            raise KeyError("DATA_TOKEN is not set")
        return Client(os.environ.get("QUERY_URL") or "http://127.0.0.1:8080", token, **options)

    def metric_data(
        self,
        metric: str,
        time: Range | None = None,
        *,
        metadata_version: int | None = None,
        **fields: Unpack[RequestFields],
    ) -> Rows:
        """Metric data as rows: a column per split, percentiles as p1 to p99. See `metric_request` for the fields.

        With `metadata_version`, the `version` of a change, the response waits until queries use that change.
        """
        request = metric_request(metric, time, **fields)
        version = {} if metadata_version is None else {"Netpanel-Metadata-Version": str(metadata_version)}
        return _rows(self._transport.send("POST", "/metric_data", request, {**_NDJSON, **version}))

    def test_data(self, test: str, date: Range) -> Rows:
        """The unprocessed rows of a test, in UTC."""
        return _rows(self._transport.send("POST", "/test_data", _test_request(test, date), _NDJSON))

    def iter_test_data(self, test: str, date: Range) -> Iterator[Row]:
        """The same row by row, for more rows than fit into memory."""
        response = self._transport.send("POST", "/test_data", _test_request(test, date), _NDJSON)
        show_warnings(_warnings(response))
        return map(json.loads, response.lines())

    def explain(self, metric: str, time: Range | None = None, **fields: Unpack[RequestFields]) -> Mapping[str, Any]:
        """The SQL of a request for metric data, and how many rows it reads."""
        body = metric_request(metric, time, **fields)
        explanation: Mapping[str, Any] = self._transport.json("POST", "/metric_data/explain", body)["data"]
        return explanation

    def export_metric_data(
        self,
        path: str | os.PathLike[str],
        metric: str,
        time: Range | None = None,
        *,
        format: ExportFormat = "csv",
        wait_s: float = 3600.0,
        progress: Callable[[Export], None] | None = None,
        **fields: Unpack[RequestFields],
    ) -> Path:
        """Exports metric data into a file and waits for it."""
        started = self.exports.start("metric_data", metric_request(metric, time, **fields), format)
        return self.exports.save(self.exports.wait(started, wait_s, progress), path)

    def export_test_data(
        self,
        path: str | os.PathLike[str],
        test: str,
        date: Range,
        *,
        format: ExportFormat = "csv",
        wait_s: float = 3600.0,
        progress: Callable[[Export], None] | None = None,
    ) -> Path:
        """Exports the rows of a test into a file and waits for it."""
        started = self.exports.start("test_data", _test_request(test, date), format)
        return self.exports.save(self.exports.wait(started, wait_s, progress), path)

    def metrics(self) -> list[Row]:
        return self._list("/metrics")

    def tests(self) -> list[str]:
        names: list[str] = self._transport.json("GET", "/tests")["data"]
        return names

    def splits(self) -> list[Row]:
        return self._list("/splits")

    def filters(self) -> list[Row]:
        return self._list("/filters")

    def filter_values(self, field: str, *, search: str | None = None, limit: int = 1000) -> Iterator[str]:
        """All values of a field, page by page: `limit` is the size of a page."""
        query = {"limit": limit, **({} if search is None else {"search": search})}
        return all_pages(self._transport, f"/filters/{quote(field, safe='')}/values?{urlencode(query)}")

    def _list(self, path: str) -> list[Row]:
        rows: list[Row] = self._transport.json("GET", path)["data"]
        return rows


def metric_request(metric: str, time: Range | None = None, **fields: Unpack[RequestFields]) -> dict[str, Any]:
    """The body of a request for metric data. TypeError: a field does not exist.

    `aggregation` is "daily" by default; None is raw data. `splits` are none, `normalised` is False and `prefilter` True.
    `include={"isp": ["A", "B"]}` keeps these values, `exclude` drops them. Further fields are those of the interface,
    by their names there: `window`, `household`, `relativeTo`, `method`, `householdIntervals`, `times` and others.
    """
    _reject_unknown(fields)
    aggregation = fields.get("aggregation", "daily")
    return {
        "metric": metric,
        "chartType": "raw" if aggregation is None else "aggregate",
        **({} if aggregation is None else {"aggregation": aggregation}),
        "normalised": fields.get("normalised", False),
        "prefilter": fields.get("prefilter", True),
        "splits": list(fields.get("splits", ())),
        "filters": [*_filters(fields.get("include"), "include"), *_filters(fields.get("exclude"), "exclude")],
        **({} if time is None else {"time": {"from": time[0], "to": time[1]}}),
        **{name: value for name, value in fields.items() if name in METRIC_FIELDS},
    }


def _reject_unknown(fields: Mapping[str, object]) -> None:
    """The service ignores a field that it does not know: a misspelled one would give another number."""
    known = (*_ARGUMENTS, *METRIC_FIELDS)
    for name in fields:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"The fields are {', '.join(known)}."
            raise TypeError(f"A request for metric data has no field {name!r}. {hint}")


def _filters(values: Mapping[str, Values] | None, kind: str) -> list[Row]:
    return [
        {"id": id, "filterType": kind, "filterValues": [one] if isinstance(one, str) else list(one)}
        for id, one in (values or {}).items()
    ]


def _test_request(test: str, date: Range) -> dict[str, Any]:
    return {"test": test, "date": {"from": date[0], "to": date[1]}}


def _rows(response: Response) -> Rows:
    headers = response.headers
    version = headers.get("Netpanel-Metadata-Version")
    warnings = _warnings(response)
    show_warnings(warnings)
    return Rows(
        rows=[json.loads(line) for line in response.lines()],
        clock=headers.get("Netpanel-Clock", ""),
        warnings=warnings,
        metadata_version=None if version is None else int(version),
    )


def _warnings(response: Response) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = json.loads(response.headers.get("Netpanel-Warnings", "[]"))
    return found
