from __future__ import annotations

import email.utils
import tempfile
import time
import unittest

from netpanel import ApiError, Client, IncompleteResponse, NetpanelError, RateLimited, Retry
from netpanel.exports import Export

from .disturbed_service import DisturbedService
from .stack import WEEK, data_client

QUICK = Retry(attempts=3, backoff_s=0.01)


class Retries(unittest.TestCase):
    def test_repeats_after_429_and_503_until_the_service_answers(self) -> None:
        refusals = [(429, {"Retry-After": "0"}), (503, {})]
        with DisturbedService(refusals) as service:
            rows = data_client(service.url, retry=QUICK).metric_data("httpget", WEEK, aggregation="total")
            self.assertEqual(len(service.paths), 3)
        undisturbed = data_client().metric_data("httpget", WEEK, aggregation="total")
        # Not all of the row: two computations may differ in the last digits of a sum.
        self.assertEqual(rows.rows[0]["sampleCount"], undisturbed.rows[0]["sampleCount"])

    def test_waits_as_long_as_the_service_asks(self) -> None:
        with DisturbedService([(429, {"Retry-After": "1"})]) as service:
            started = time.monotonic()
            data_client(service.url, retry=QUICK).tests()
            self.assertGreaterEqual(time.monotonic() - started, 1.0)

    def test_stops_after_the_last_attempt_with_the_error_of_the_service(self) -> None:
        with DisturbedService([(429, {"Retry-After": "0"})] * 10) as service:
            with self.assertRaises(RateLimited) as raised:
                data_client(service.url, retry=QUICK).tests()
            self.assertEqual(len(service.paths), 3)
        self.assertEqual(str(raised.exception), "429 RATE_LIMITED: Too many requests")

    def test_does_not_wait_longer_than_allowed(self) -> None:
        with DisturbedService([(429, {"Retry-After": "3600"})]) as service:
            with self.assertRaises(RateLimited):
                data_client(service.url, retry=QUICK).tests()
            self.assertEqual(len(service.paths), 1)

    def test_does_not_repeat_other_errors(self) -> None:
        with DisturbedService([(500, {})]) as service:
            with self.assertRaises(ApiError):
                data_client(service.url, retry=QUICK).tests()
            self.assertEqual(len(service.paths), 1)

    def test_repeats_a_query_whose_connection_broke_but_not_the_start_of_an_export(self) -> None:
        with DisturbedService([None]) as service:
            self.assertIn("dns", data_client(service.url, retry=QUICK).tests())
        request = {"test": "dns", "date": {"from": "2026-11-01", "to": "2026-11-01"}}
        with DisturbedService([None]) as service:
            with self.assertRaises(NetpanelError):
                data_client(service.url, retry=QUICK).exports.start("test_data", request, "csv")
            self.assertEqual(service.paths, ["/test_data_download"])

    def test_the_wait_is_bounded_and_varies(self) -> None:
        retry = Retry(attempts=20, max_wait_s=4, backoff_s=1)
        waits = [retry.wait_s(attempt, None) for attempt in range(1, 20)]
        self.assertTrue(all(wait is not None and 0 <= wait <= 4 for wait in waits))
        self.assertGreater(len(set(waits)), 10)
        self.assertIsNone(retry.wait_s(20, None))
        self.assertIsNone(retry.wait_s(1, "5"))
        date = email.utils.formatdate(time.time() + 3, usegmt=True)
        self.assertGreater(retry.wait_s(1, date) or 0, 1)


class IncompleteResponses(unittest.TestCase):
    def test_rows_of_a_cut_response_are_an_error(self) -> None:
        for cut_after in (0, 100, 5_000):
            with self.subTest(cut_after=cut_after), DisturbedService([], cut_after) as service:
                with self.assertRaises(IncompleteResponse):
                    data_client(service.url).metric_data("httpget", WEEK, splits=["isp"])


class Addresses(unittest.TestCase):
    def test_an_address_without_a_scheme_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            Client("localhost:8080", "npd_x")

    def test_an_unreachable_service_is_named(self) -> None:
        client = Client("http://127.0.0.1:9", "npd_x", retry=QUICK)
        with self.assertRaisesRegex(NetpanelError, "http://127.0.0.1:9 cannot be reached"):
            client.tests()

    def test_a_download_sends_no_token(self) -> None:
        with DisturbedService([(404, {})]) as service:
            link = Export("x", "ready", 0, 0, None, f"{service.url}/file", None)
            with tempfile.TemporaryDirectory() as folder, self.assertRaises(ApiError):
                data_client(retry=QUICK).exports.save(link, f"{folder}/file.csv")
            self.assertEqual((service.paths, service.tokens), (["/file"], [None]))
