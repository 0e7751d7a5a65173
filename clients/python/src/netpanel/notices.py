from __future__ import annotations

import sys
import warnings
from typing import Any, Mapping, Sequence


class NetpanelWarning(UserWarning):
    """A warning of the service: it answered, but maybe not what was meant."""


def show_warnings(found: Sequence[Mapping[str, Any]]) -> None:
    """Shows the warnings of a response with the line that called this package."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
        level += 1
    for one in found:
        warnings.warn(f"{one.get('code')}: {one.get('message')}", NetpanelWarning, stacklevel=level)
