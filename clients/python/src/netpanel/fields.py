# Generated from openapi/query.yaml by make generate. Change the contract, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING

METRIC_FIELDS = (
    "agent_agg",
    "times",
    "window",
    "knownAt",
    "method",
    "household",
    "relativeTo",
    "weight",
    "weightReplicates",
    "shares",
    "sharesAtMost",
    "consistent",
    "switchers",
    "minAgents",
    "householdIntervals",
    "intervalsOf",
    "percentileRule",
    "strata",
    "overBuckets",
    "coverage",
    "compare",
)

if TYPE_CHECKING:
    # Type checkers know this module; it need not be installed.
    from typing import Literal, Sequence

    from typing_extensions import Required, TypeAlias, TypedDict

    Aggregation: TypeAlias = Literal["hourly", "two_hourly", "four_hourly", "six_hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "hour_of_day", "day_of_week", "day_of_month", "hour_of_week", "total"] | None
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
            "days": Sequence[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] | None,
            "hours": Sequence[int] | None,
            "invert": bool | None,
        },
        total=False,
    )
    KnownAt: TypeAlias = str | None
    Method: TypeAlias = Literal["fcc-2018", "accc", "ofcom-2021", "ofcom-2023"] | None
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
    RelativeTo = TypedDict(
        "RelativeTo",
        {
            "field": Required[str],
            "of": Literal["result", "household"] | None,
        },
        total=False,
    )
    Shares = TypedDict(
        "Shares",
        {
            "thresholds": Required[Sequence[float]],
            "of": Literal["households", "results"] | None,
        },
        total=False,
    )
    SharesAtMost = TypedDict(
        "SharesAtMost",
        {
            "thresholds": Required[Sequence[float]],
            "of": Literal["households", "results"] | None,
        },
        total=False,
    )
    Consistent = TypedDict(
        "Consistent",
        {
            "households": Required[float],
            "results": Required[float],
        },
        total=False,
    )
    Switchers: TypeAlias = Literal["asOf", "longest", "drop"] | None
    PercentileRule: TypeAlias = Literal["linear", "lower", "average"] | None
    OverBuckets = TypedDict(
        "OverBuckets",
        {
            "busiest": bool | None,
            "atLeast": float | None,
        },
        total=False,
    )
    Coverage = TypedDict(
        "Coverage",
        {
            "resultsPerHour": float | None,
        },
        total=False,
    )
    Filter = TypedDict(
        "Filter",
        {
            "id": Required[str],
            "filterType": Required[Literal["include", "exclude"]],
            "filterValues": Required[Sequence[str]],
        },
        total=False,
    )
    ComparedAgents: TypeAlias = Literal["all", "both"] | None
    Compare = TypedDict(
        "Compare",
        {
            "time": LocalRange,
            "times": Sequence[LocalRange] | None,
            "filters": Sequence[Filter] | None,
            "window": LocalWindow | None,
            "knownAt": KnownAt,
            "to": Literal["rest"] | None,
            "agents": ComparedAgents,
        },
        total=False,
    )
    MetricFields = TypedDict(
        "MetricFields",
        {
            "agent_agg": bool | None,
            "times": Sequence[LocalRange] | None,
            "window": LocalWindow | None,
            "knownAt": KnownAt,
            "method": Method,
            "household": Household | None,
            "relativeTo": RelativeTo | None,
            "weight": str | None,
            "weightReplicates": bool | None,
            "shares": Shares | None,
            "sharesAtMost": SharesAtMost | None,
            "consistent": Consistent | None,
            "switchers": Switchers,
            "minAgents": int | None,
            "householdIntervals": bool | None,
            "intervalsOf": Sequence[float] | None,
            "percentileRule": PercentileRule,
            "strata": str | None,
            "overBuckets": OverBuckets | None,
            "coverage": Coverage | None,
            "compare": Compare | None,
        },
        total=False,
    )
