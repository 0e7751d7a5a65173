from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Mapping

if TYPE_CHECKING:
    import pandas
    import polars

Row = dict[str, Any]

_TIMES = ("dtime", "ddate")


@dataclass(frozen=True)
class Rows:
    """The rows of a response, with what is not in the rows."""

    rows: list[Row]
    clock: str = ""
    """`agent-local`: times are the local times of the agents, do not convert them. Or `UTC`."""
    warnings: list[Mapping[str, Any]] = field(default_factory=list)
    metadata_version: int | None = None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Row:
        return self.rows[index]

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame. Times are datetimes without a zone if they are local, else in UTC."""
        import pandas

        frame = pandas.DataFrame(self.rows)
        for column in _TIMES:
            if column in frame:
                frame[column] = pandas.to_datetime(
                    frame[column], format="ISO8601", utc=self.clock == "UTC"
                )
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame. Times are datetimes without a zone if they are local, else in UTC."""
        import polars

        # The first rows may have only nulls in a column: look at all of them.
        frame = polars.DataFrame(self.rows, infer_schema_length=None)
        zone = "UTC" if self.clock == "UTC" else None
        return frame.with_columns(
            polars.col(column).str.to_datetime(time_zone=zone)
            for column in _TIMES
            if column in frame.columns
        )
