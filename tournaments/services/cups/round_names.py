"""What the log calls a round."""

from __future__ import annotations

from tournaments.models import Group, Round


def name_round(group: Group, round: Round) -> str:  # noqa: A002
    """Return the number of a round of this group, after the group's letter where the stage has several."""
    return str(round.number) if group.stage.grouping is None else f"{group.letter}{round.number}"
