"""Needs pandas and polars."""

from __future__ import annotations

import unittest

import pandas
import polars

from netpanel import NetpanelWarning, Rows

from .stack import WEEK, data_client


class Frames(unittest.TestCase):
    def test_local_times_have_no_zone_and_keep_their_day(self) -> None:
        rows = data_client().metric_data("httpget", WEEK, splits=["isp"])
        frame = rows.to_pandas()
        self.assertEqual(len(frame), len(rows))
        self.assertIsNone(frame["dtime"].dt.tz)
        self.assertEqual(str(frame["dtime"].min()), "2026-11-01 00:00:00")
        self.assertEqual(frame["metricValue"].tolist(), [row["metricValue"] for row in rows])
        other = rows.to_polars()
        self.assertEqual(other["dtime"].dtype, polars.Datetime("us"))
        self.assertEqual(other["metricValue"].to_list(), frame["metricValue"].tolist())

    def test_times_of_test_data_are_utc(self) -> None:
        rows = data_client().test_data("dns", ("2026-11-01", "2026-11-01"))
        self.assertEqual(str(rows.to_pandas()["dtime"].dt.tz), "UTC")
        self.assertEqual(rows.to_polars()["dtime"].dtype, polars.Datetime("us", "UTC"))

    def test_a_column_that_starts_with_nulls_keeps_its_values(self) -> None:
        rows = Rows([{"a": None}] * 200 + [{"a": 1.5}])
        self.assertEqual(rows.to_polars()["a"].sum(), 1.5)
        self.assertEqual(rows.to_pandas()["a"].sum(), 1.5)

    def test_a_warning_is_shown_also_if_only_the_frame_is_kept(self) -> None:
        with self.assertWarnsRegex(NetpanelWarning, 'UNKNOWN_VALUE: .*"Northwave"'):
            frame = data_client().metric_data("httpget", WEEK, include={"isp": "Nortwave"}).to_pandas()
        self.assertTrue(frame.empty)

    def test_no_rows_are_an_empty_frame(self) -> None:
        rows = data_client().metric_data("httpget", ("2020-01-01", "2020-01-02"))
        self.assertTrue(rows.to_pandas().empty)
        self.assertTrue(rows.to_polars().is_empty())
        self.assertIsInstance(rows.to_pandas(), pandas.DataFrame)
