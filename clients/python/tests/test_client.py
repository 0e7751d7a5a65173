from __future__ import annotations

import json
import os
import tempfile
import unittest
import urllib.request
from pathlib import Path
from typing import Callable

from netpanel import ApiError, Client, ExportFailed, NetpanelWarning, ValidationError
from netpanel.client import metric_request

from .stack import QUERY_URL, WEEK, data_client, metadata_client


class MetricData(unittest.TestCase):
    def test_has_the_numbers_of_the_json_interface(self) -> None:
        rows = data_client().metric_data("httpget", WEEK, splits=["isp"])
        body = json.dumps(metric_request("httpget", WEEK, splits=["isp"])).encode()
        headers = {"Authorization": os.environ["DEMO_DATA_TOKEN"], "Content-Type": "application/json"}
        request = urllib.request.Request(QUERY_URL + "/metric_data", data=body, headers=headers)
        with urllib.request.urlopen(request) as response:
            series = json.load(response)["data"]
        points = [point for one in series for point in one["metricData"]]
        self.assertGreater(len(points), 7)
        columns = ("isp", "dtime", "sampleCount", "median")
        self.assertEqual(
            [[row[name] for name in columns] for row in rows],
            [[point[name] for name in columns] for point in points],
        )
        # The last digits of a mean depend on the threads of ClickHouse.
        for row, point in zip(rows, points):
            self.assertAlmostEqual(row["metricValue"], point["metricValue"], places=9)
        self.assertEqual(rows[0]["p95"], points[0]["percentiles"]["95"])
        self.assertEqual(rows.clock, "agent-local")
        self.assertIsInstance(rows.metadata_version, int)

    def test_includes_and_excludes_values(self) -> None:
        client = data_client()
        northwave = client.metric_data(
            "httpget", WEEK, aggregation="total", splits=["isp"], include={"isp": "Northwave"}
        )
        self.assertEqual([row["isp"] for row in northwave], ["Northwave"])
        others = client.metric_data(
            "httpget", WEEK, aggregation="total", splits=["isp"], exclude={"isp": ["Northwave", "Cedar Online"]}
        )
        names = {row["isp"] for row in others}
        self.assertIn("Harbour Cable", names)
        self.assertFalse(names & {"Northwave", "Cedar Online"})

    def test_returns_warnings_and_no_rows_for_an_unknown_value(self) -> None:
        with self.assertWarns(NetpanelWarning) as shown:
            rows = data_client().metric_data("httpget", WEEK, include={"isp": "Nortwave"})
        self.assertIn('UNKNOWN_VALUE: ', str(shown.warning))
        self.assertEqual(Path(shown.filename).name, "test_client.py")
        self.assertEqual(len(rows), 0)
        self.assertEqual([warning["code"] for warning in rows.warnings], ["UNKNOWN_VALUE", "NO_RESULTS"])
        self.assertIn('"Northwave"', rows.warnings[0]["message"])

    def test_a_misspelled_field_is_an_error_before_anything_is_sent(self) -> None:
        unreachable = Client("http://127.0.0.1:9", "npd_none")
        calls: list[Callable[..., object]] = [
            unreachable.metric_data,
            unreachable.explain,
            lambda *args, **fields: unreachable.export_metric_data("x.csv", *args, **fields),
        ]
        for call in calls:
            with self.assertRaisesRegex(TypeError, "no field 'houshold'. Did you mean 'household'?"):
                call("httpget", WEEK, houshold={"statistic": "median"})
        with self.assertRaisesRegex(TypeError, "no field 'xyz'. The fields are aggregation, .*, method"):
            metric_request("httpget", WEEK, xyz=1)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, "backdate"):
            metadata_client().change({"unit_id": 1}, {}, backdate=1)  # type: ignore[call-arg]

    def test_has_every_field_of_the_interface(self) -> None:
        plain = data_client().metric_data("httpget", WEEK, aggregation="total")
        medians = data_client().metric_data(
            "httpget",
            WEEK,
            aggregation="total",
            household={"statistic": "median"},
            window={"hours": [19, 20, 21]},
            householdIntervals=True,
        )
        self.assertLess(medians[0]["sampleCount"], plain[0]["sampleCount"])
        self.assertNotEqual(medians[0]["metricValue"], plain[0]["metricValue"])
        self.assertGreater(medians[0]["ciHousehold95"], 0)

    def test_a_misspelled_field_within_a_field_is_shown_as_a_warning(self) -> None:
        with self.assertWarnsRegex(NetpanelWarning, "UNKNOWN_FIELD: .*hour"):
            data_client().metric_data("httpget", WEEK, window={"days": ["mon"], "hour": [19]})  # type: ignore[typeddict-unknown-key]

    def test_raw_data_has_one_row_per_result(self) -> None:
        client = data_client()
        day = ("2026-11-01", "2026-11-01")
        raw = client.metric_data("httpget", day, aggregation=None)
        total = client.metric_data("httpget", day, aggregation="total")
        self.assertEqual(len(raw), total[0]["sampleCount"])

    def test_an_invalid_request_names_each_field(self) -> None:
        with self.assertRaises(ValidationError) as raised:
            data_client().metric_data("httpgett", WEEK, splits=["isps"])
        self.assertEqual(raised.exception.status, 422)
        self.assertEqual(sorted(raised.exception.errors), ["metric", "splits[0]"])
        self.assertIn('splits[0]: Unknown field "isps". Did you mean "isp"?', str(raised.exception))

    def test_a_wrong_token_is_refused_without_a_retry(self) -> None:
        with self.assertRaises(ApiError) as raised:
            Client(QUERY_URL, "npd_wrong").metrics()
        self.assertEqual((raised.exception.status, raised.exception.code), (403, "ACCESS_DENIED"))

    def test_explains_the_sql(self) -> None:
        self.assertIn("SELECT", data_client().explain("httpget", WEEK)["inlined"])


class TestData(unittest.TestCase):
    def test_streams_the_same_rows_as_it_returns(self) -> None:
        client = data_client()
        day = ("2026-11-01", "2026-11-01")
        rows = client.test_data("dns", day)
        self.assertGreater(len(rows), 1000)
        self.assertEqual(rows.clock, "UTC")
        self.assertEqual(list(client.iter_test_data("dns", day)), rows.rows)


class Listings(unittest.TestCase):
    def test_pages_of_values_are_followed_to_the_end(self) -> None:
        client = data_client()
        everything = list(client.filter_values("agent"))
        self.assertGreater(len(everything), 100)
        self.assertEqual(list(client.filter_values("agent", limit=7)), everything)
        self.assertEqual(list(client.filter_values("isp", search="wave")), ["Northwave"])

    def test_lists_metrics_tests_and_fields(self) -> None:
        client = data_client()
        self.assertIn("httpget", [metric["key"] for metric in client.metrics()])
        self.assertIn("dns", client.tests())
        self.assertIn("isp", [field["id"] for field in client.splits()])
        self.assertIn("isp", [field["id"] for field in client.filters()])


class Metadata(unittest.TestCase):
    def test_reads_an_agent_and_the_pages_of_its_history(self) -> None:
        client = metadata_client()
        self.assertEqual(client.get("unit", 100003)["isp"], "Northwave")
        history = list(client.history("unit", 100003))
        self.assertGreater(len(history), 1)
        self.assertEqual(list(client.history("unit", 100003, limit=1)), history)

    def test_a_query_that_demands_the_version_of_a_change_sees_it(self) -> None:
        client = metadata_client()
        custom = {"python_client_test": os.urandom(4).hex()}
        changed = client.change({"unit_id": 100003}, {"custom": custom})
        self.assertGreater(changed["version"], 0)
        rows = data_client().metric_data(
            "httpget",
            WEEK,
            aggregation="total",
            splits=["custom.python_client_test"],
            include={"unit": "100003"},
            metadata_version=changed["version"],
        )
        self.assertGreaterEqual(rows.metadata_version or 0, changed["version"])
        client.change({"unit_id": 100003}, {"custom": {"python_client_test": None}})


class Exports(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_saves_the_rows_of_a_test(self) -> None:
        day = ("2026-11-01", "2026-11-01")
        seen: list[str] = []
        client = data_client()
        path = client.export_test_data(
            self.folder / "dns.csv", "dns", day, progress=lambda export: seen.append(export.status)
        )
        lines = path.read_text().splitlines()
        self.assertEqual(len(lines) - 1, len(client.test_data("dns", day)))
        self.assertEqual(seen[-1:], ["ready"])
        self.assertEqual([file.name for file in self.folder.iterdir()], ["dns.csv"])

    def test_saves_metric_data_as_parquet(self) -> None:
        path = data_client().export_metric_data(
            self.folder / "speed.parquet", "httpget", WEEK, splits=["isp"], format="parquet"
        )
        self.assertEqual(path.read_bytes()[:4], b"PAR1")

    def test_a_cancelled_export_is_an_error_and_leaves_no_file(self) -> None:
        client = data_client()
        started = client.exports.start("test_data", {"test": "httpget", "date": {"from": "2026-10-01", "to": "now"}}, "csv")
        client.exports.cancel(started.id)
        with self.assertRaises(ExportFailed):
            client.exports.wait(client.exports.read(started.id), 60)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_invalid_request_starts_no_export(self) -> None:
        with self.assertRaises(ValidationError):
            data_client().export_test_data(self.folder / "x.csv", "dsn", ("2026-11-01", "2026-11-01"))
