"""The ties of a bracket as its format derives them from results and withdrawals alone, beside what is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from formats.protocol import TieKey
from formats.ties import ResolvedTie, TieState, resolve_ties
from tournaments.models import CompetitionStatus, Group, Tie
from tournaments.records.group_records import read_record
from tournaments.records.matches import played_fixtures


@dataclass(slots=True)
class DerivedTie:
    """A tie as what was before it, its results and withdrawals give it: entry ids, and who has won it, why and when.

    Since ``known_at`` it could be played. ``is_other`` says that these are not the entrants that are stored,
    ``is_left`` that they stay as they are stored.
    """

    tie: Tie
    first: int | None
    second: int | None
    winner: int | None = None
    decided_by: str = ""
    decided_at: datetime | None = None
    known_at: datetime | None = None
    is_other: bool = False
    is_left: bool = False


def derive_ties(group: Group) -> list[DerivedTie]:
    """Return every tie of a drawn bracket as results and withdrawals alone give it, each after those that lead to it.

    Where a tie has been played, or its group is over, its entrants are taken as they are: what is to become of it is
    for an organiser to say, and ``is_left`` tells so. Eleven queries at any size.
    """
    stored = {tie.key: tie for tie in Tie.objects.filter(round__group=group).select_related("round")}
    played = _ties_played(group)
    kept: dict[TieKey, tuple[int, int]] = {}
    record = read_record(group)
    options = group.stage.chosen_options
    drawn = group.stage.format_spec.draw_ties(len(record.seats), options)
    begun = {game.tie for game in record.games}
    others: dict[TieKey, bool] = {}
    while True:
        resolved = resolve_ties(drawn, record, legs=options.legs, replays=options.replays, kept=kept)
        others |= {
            each.drawn.key: _is_other(each, stored, is_begun=each.drawn.key in begun)
            for each in resolved
            if each.drawn.key not in kept
        }
        strays = [key for key, is_other in others.items() if is_other and key not in kept and stored[key].pk in played]
        if not strays:
            break
        # Later rounds depend on it, so that only the ties of the first round are known to be others.
        first = min(key.round for key in strays)
        kept |= {key: _entrants_of(stored[key]) for key in strays if key.round == first}
    return [_compare(group, each, stored[each.drawn.key], others[each.drawn.key], kept) for each in resolved]


def _is_other(resolved: ResolvedTie[int], stored: Mapping[TieKey, Tie], *, is_begun: bool) -> bool:
    """Return whether others should meet than those who are stored, or nobody where a match was set up."""
    tie = stored[resolved.drawn.key]
    is_off = resolved.state is TieState.OFF and is_begun
    return is_off or {resolved.first, resolved.second} != {tie.first_id, tie.second_id}


def _entrants_of(tie: Tie) -> tuple[int, int]:
    if tie.first_id is None or tie.second_id is None:
        raise ValueError(f"tie {tie.pk} has been played, but its players are not known")
    return tie.first_id, tie.second_id


def _compare(
    group: Group, resolved: ResolvedTie[int], tie: Tie, is_other: bool, kept: Mapping[TieKey, tuple[int, int]]
) -> DerivedTie:
    is_left = resolved.drawn.key in kept
    if resolved.winner is None and is_other and not is_left and not _is_running(group):
        return DerivedTie(tie, tie.first_id, tie.second_id, tie.winner_id, is_other=True, is_left=True)
    return DerivedTie(
        tie,
        resolved.first,
        resolved.second,
        resolved.winner,
        resolved.decided_by or "",
        resolved.decided_at if resolved.is_settled else None,
        resolved.known_at,
        is_other=is_other or is_left,
        is_left=is_left,
    )


def _is_running(group: Group) -> bool:
    return group.ended_at is None and group.competition.status == CompetitionStatus.RUNNING


def _ties_played(group: Group) -> set[int]:
    """Return the ids of the ties in which somebody has moved, or that have a result that is no forfeit."""
    played = played_fixtures(competition_id=group.stage.competition_id).filter(group=group, tie__isnull=False)
    return {key for key in played.values_list("tie", flat=True) if key is not None}
