"""The name of a round in the log."""

from tournaments.models import Group, ProposedRound, Round


def code_round(group: Group, round: Round | ProposedRound) -> str:  # noqa: A002
    """Return the number of a round of this group: 3, A3 in one of several groups, and 2.3 or 2.A3 in a second stage.

    In a league it is 2A-3.
    """
    stage = group.stage
    code = str(round.number) if stage.grouping is None else f"{group.letter}{round.number}"
    if stage.has_leagues:
        code = f"{group.letter}-{round.number}"
    return code if stage.number == 1 else f"{stage.number}.{code}"
