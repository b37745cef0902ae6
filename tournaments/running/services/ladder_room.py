"""Make room on a ladder for games that go on again: nobody meets the same opponent twice at once, or plays too many.

The games that go for it are set aside, each with the one for which it went, and come back where that does not go on
after all. Callers hold the competition's lock.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from rules_engine.values import Ending
from tournaments.models import SITTING, Competition, Fixture
from tournaments.records.matches import played_fixtures
from tournaments.rounds.services.fixtures import OPEN
from tournaments.rounds.services.going_on import let_match_go_on
from tournaments.rounds.services.set_aside import set_aside, set_aside_in
from tournaments.tables.services.known_games import forget_games

_PLACE = "room/"
"""The beginning of the place of what was set aside here; then comes the id of the fixture for which it went."""

_RELATED = ("match", "group__stage", *SITTING)

Role = tuple[int, str]
"""An entry, and as what it plays: of a challenge ladder as challenger or as who is challenged."""


def make_room(
    *, competition: Competition, fixtures: Sequence[Fixture], now: datetime
) -> tuple[list[Fixture], list[Fixture]]:
    """Set aside games that have begun since between the same two, and untouched ones above a ladder's limits.

    Return those in which somebody has moved, and the others. Four queries.
    """
    entries = {entry for each in fixtures for entry in (each.yellow_id, each.red_id)}
    others = _open_games(competition, entries).exclude(pk__in=[each.pk for each in fixtures])
    in_order = list(others.select_related(*_RELATED).order_by("-pk"))
    touched = set(
        played_fixtures(competition_id=competition.pk)
        .filter(pk__in=[each.pk for each in in_order])
        .values_list("pk", flat=True)
    )
    gone = list(_choose(competition, fixtures, in_order, touched))
    set_aside(fixtures=[each for each, _instead in gone], now=now)
    for each, instead in gone:
        # What is played again, and goes itself, is known by that.
        Fixture.objects.filter(pk=each.pk, draw_place="").update(draw_place=f"{_PLACE}{instead.pk}")
    return [each for each, _ in gone if each.pk in touched], [each for each, _ in gone if each.pk not in touched]


def bring_back(*, competition: Competition, now: datetime) -> None:
    """Let games go on again that had gone for others which are not played to their ends after all.

    One query where none had gone.
    """
    gone = set_aside_in(competition).filter(draw_place__startswith=_PLACE).select_related(*_RELATED).order_by("pk")
    reasons = {each: int(each.draw_place.removeprefix(_PLACE)) for each in gone}
    if not reasons:
        return
    instead = Fixture.objects.filter(pk__in=set(reasons.values())).select_related("yellow", "red")
    undone = {each.pk for each in instead if _is_undone(each)}
    without = [each for each, reason in reasons.items() if reason in undone]
    entries = {entry for each in without for entry in (each.yellow_id, each.red_id)}
    open_games = list(_open_games(competition, entries))
    pairs = {_pair(each) for each in open_games}
    running = Counter(role for each in open_games for role in _roles(each))
    for each in without:
        is_full = any(running[role] >= _limit(competition, role) for role in _roles(each))
        if is_full or _pair(each) in pairs or not (each.yellow.is_in and each.red.is_in):
            continue
        Fixture.objects.filter(pk=each.pk).update(is_annulled=False, cause=None, draw_place="")
        let_match_go_on(fixture=each, competition=competition, now=now)
        forget_games(fixtures=[each])
        running.update(_roles(each))
        pairs.add(_pair(each))


def _is_undone(fixture: Fixture) -> bool:
    """Return whether a game that had gone on again is not played to its end: by a decision, or as somebody has left."""
    if fixture.counted_at is None:
        return fixture.is_annulled
    has_left = not (fixture.yellow.is_in and fixture.red.is_in)
    return fixture.ending == Ending.ADJUDICATION or (fixture.ending == Ending.FORFEIT and has_left)


def _open_games(competition: Competition, entries: Collection[int]) -> QuerySet[Fixture]:
    return Fixture.objects.filter(OPEN, Q(yellow__in=entries) | Q(red__in=entries), competition_id=competition.pk)


def _choose(
    competition: Competition, fixtures: Sequence[Fixture], others: Sequence[Fixture], touched: Collection[int]
) -> Iterator[tuple[Fixture, Fixture]]:
    """Yield the games that go, the latest first, each with the one for which it goes."""
    running = Counter(role for each in (*fixtures, *others) for role in _roles(each))
    for each in others:
        full = {role for role in _roles(each) if running[role] > _limit(competition, role)}
        same = (game for game in fixtures if _pair(game) == _pair(each))
        surplus = (game for game in fixtures if full.intersection(_roles(game)) and each.pk not in touched)
        instead = next(same, None) or next(surplus, None)
        if instead is not None:
            running.subtract(_roles(each))
            yield each, instead


def _pair(fixture: Fixture) -> frozenset[int]:
    return frozenset({fixture.yellow_id, fixture.red_id})


def _roles(fixture: Fixture) -> list[Role]:
    if fixture.challenger_id is None:
        return [(fixture.yellow_id, ""), (fixture.red_id, "")]
    challenged = fixture.red_id if fixture.challenger_id == fixture.yellow_id else fixture.yellow_id
    return [(fixture.challenger_id, "outgoing"), (challenged, "incoming")]


def _limit(competition: Competition, role: Role) -> int:
    options = competition.first_stage.chosen_options
    limit: int = getattr(options, f"max_{role[1]}") if role[1] else options.games_each
    return limit
