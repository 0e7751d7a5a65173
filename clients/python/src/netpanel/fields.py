# Generated from openapi/query.yaml by make generate. Change the contract, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING

METRIC_FIELDS = (
    "agent_agg",
    "times",
    "window",
    "household",
    "relativeTo",
    "weight",
    "shares",
    "consistent",
    "switchers",
    "overBuckets",
    "coverage",
    "minAgents",
    "householdIntervals",
    "knownAt",
    "method",
)

if TYPE_CHECKING:
    # Type checkers know this module; it need not be installed.
    from typing import Literal, Sequence

    from typing_extensions import Required, TypeAlias, TypedDict

    Aggregation: TypeAlias = Literal["hourly", "two_hourly", "four_hourly", "six_hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "hour_of_day", "day_of_week", "day_of_month", "hour_of_week", "total"]
    LocalRange = TypedDict(
        "LocalRange",
        {
            "from": Required[str],
            "to": Required[str],
        },
        total=False,
    )
    LocalWindow = TypedDict(
        "LocalWindow",
        {
            "days": Sequence[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]],
            "hours": Sequence[int],
            "invert": bool,
        },
        total=False,
    )
    Household = TypedDict(
        "Household",
        {
            "statistic": Required[str],
            "trim": Sequence[float | None] | None,
            "trimOver": Literal["window", "range"] | None,
            "minResults": int | None,
            "minDays": int | None,
        },
        total=False,
    )
    RelativeToObject = TypedDict(
        "RelativeToObject",
        {
            "field": Required[str],
            "of": Literal["result", "household"],
        },
        total=False,
    )
    RelativeTo: TypeAlias = str | RelativeToObject | None
    SharesObject = TypedDict(
        "SharesObject",
        {
            "thresholds": Required[Sequence[float]],
            "of": Literal["households", "results"],
        },
        total=False,
    )
    Shares: TypeAlias = Sequence[float] | SharesObject | None
    Consistent = TypedDict(
        "Consistent",
        {
            "households": Required[float],
            "results": Required[float],
        },
        total=False,
    )
    Switchers: TypeAlias = Literal["asOf", "longest", "drop"] | None
    OverBucketsObject = TypedDict(
        "OverBucketsObject",
        {
            "atLeast": Required[float],
        },
        total=False,
    )
    OverBuckets: TypeAlias = Literal["busiest"] | OverBucketsObject | None
    CoverageObject = TypedDict(
        "CoverageObject",
        {
            "resultsPerHour": Required[float],
        },
        total=False,
    )
    Coverage: TypeAlias = bool | CoverageObject | None
    KnownAt: TypeAlias = str
    Method: TypeAlias = Literal["fcc-2018", "accc", "ofcom-2021"] | None
    MetricFields = TypedDict(
        "MetricFields",
        {
            "agent_agg": bool,
            "times": Sequence[LocalRange] | None,
            "window": LocalWindow | None,
            "household": Household | None,
            "relativeTo": RelativeTo,
            "weight": str | None,
            "shares": Shares,
            "consistent": Consistent | None,
            "switchers": Switchers,
            "overBuckets": OverBuckets,
            "coverage": Coverage,
            "minAgents": int | None,
            "householdIntervals": bool | None,
            "knownAt": KnownAt,
            "method": Method,
        },
        total=False,
    )
