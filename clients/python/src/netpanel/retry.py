from __future__ import annotations

import email.utils
import random
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Retry:
    """How often and how long a request is repeated after 429, 503 and failed connections."""

    attempts: int = 5
    """Attempts in total; 1 never repeats."""
    max_wait_s: float = 60.0
    """Longest wait between two attempts. A longer `Retry-After` is an error at once."""
    backoff_s: float = 0.5
    """First wait without `Retry-After`; it doubles with each attempt."""

    def wait_s(self, attempt: int, retry_after: str | None) -> float | None:
        """Seconds until the next attempt, or None if there is none. `attempt` starts with 1."""
        if attempt >= self.attempts:
            return None
        asked = _seconds(retry_after)
        if asked is None:
            # Anywhere up to the full wait, so that clients that failed together do not return together.
            return random.uniform(0, min(self.max_wait_s, self.backoff_s * 2.0 ** (attempt - 1)))
        if asked > self.max_wait_s:
            return None
        return min(self.max_wait_s, asked + random.uniform(0, self.backoff_s))


def _seconds(retry_after: str | None) -> float | None:
    """`Retry-After` is a number of seconds or a date."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
