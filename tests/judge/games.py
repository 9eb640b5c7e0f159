"""Games of a PGN text, as texts."""

from __future__ import annotations

EVENT = "[Event "


def games_of(text: str) -> list[str]:
    """The games, each of which begins with its event."""
    return [EVENT + game for game in text.split(EVENT)[1:]]
