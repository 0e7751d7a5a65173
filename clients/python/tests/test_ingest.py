from __future__ import annotations

import unittest
import uuid
from datetime import datetime, timedelta, timezone

from netpanel import ApiError, ValidationError

from .stack import data_client, ingest_client


def results(count: int, target: str) -> list[dict[str, object]]:
    now = datetime.now(timezone.utc)
    return [
        {"unit_id": 100003, "dtime": now - timedelta(minutes=i + 1), "target": target, "rtt_avg": 10_000 + i}
        for i in range(count)
    ]


class Results(unittest.TestCase):
    def test_are_stored_and_in_the_next_query(self) -> None:
        target = f"python-{uuid.uuid4()}"
        receipt = ingest_client().send("ping", results(3, target))
        self.assertEqual((receipt["rows"], receipt["stored"], receipt["rejects"]), (3, 3, []))
        rows = data_client().test_data("ping", ("-1 days", "now"))
        self.assertEqual(
            sorted(row["rtt_avg"] for row in rows if row["target"] == target), [10_000, 10_001, 10_002]
        )

    def test_lists_rejected_rows_and_stores_the_others(self) -> None:
        rows = [*results(1, "python"), {**results(1, "python")[0], "rtt_avg": "slow"}]
        receipt = ingest_client().send("ping", rows)
        self.assertEqual((receipt["stored"], receipt["rejected"]), (1, 1))
        self.assertEqual((receipt["rejects"][0]["row"], receipt["rejects"][0]["column"]), (2, "rtt_avg"))
        with self.assertRaises(ValidationError) as refused:
            ingest_client().send("ping", rows, atomic=True)
        self.assertEqual(list(refused.exception.errors), ["rows[2][rtt_avg]"])

    def test_with_a_used_key_get_the_first_response(self) -> None:
        key = str(uuid.uuid4())
        rows = results(2, "python")
        first = ingest_client().send("ping", rows, idempotency_key=key)
        self.assertEqual(ingest_client().send("ping", rows, idempotency_key=key), first)
        with self.assertRaises(ValidationError):
            ingest_client().send("ping", rows[:1], idempotency_key=key)

    def test_can_be_an_lmap_report(self) -> None:
        time = datetime.now(timezone.utc).isoformat()
        table = {"function": [{"uri": "urn:example:other"}], "column": [], "row": []}
        result = {"schedule": "a", "action": "a", "task": "a", "start": time, "end": time, "table": [table]}
        report = {"ietf-lmap-report:report": {"date": time, "agent-id": "wb-0002-2ffa8b", "result": [result]}}
        receipt = ingest_client().send_lmap_report(report)
        self.assertEqual(receipt, {"tests": {}, "ignoredFunctions": ["urn:example:other"]})

    def test_of_an_unknown_test_are_refused(self) -> None:
        with self.assertRaises(ApiError) as refused:
            ingest_client().send("pnig", results(1, "python"))
        self.assertEqual(refused.exception.status, 404)

    def test_need_a_time_zone(self) -> None:
        with self.assertRaisesRegex(ValueError, "has no time zone"):
            ingest_client().send("ping", [{"unit_id": 100003, "dtime": datetime(2026, 11, 1)}])
