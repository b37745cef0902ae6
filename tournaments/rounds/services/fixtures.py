"""Man boards, start matches of fixtures, or give results without them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Min, Q, QuerySet

from matches.models import Match
from matches.services import MatchTerms, Pairing, start_matches
from players.models import Player
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.models import Competition, Entry, EntryStatus, Fixture, Group, Round
from tournaments.rounds.services.set_aside import NO_RESULT, take_up
from tournaments.tables.services.known_games import forget_games
from tournaments.tables.services.standings import mark_groups_stale, mark_standings_stale
from tournaments.teams.selectors.line_ups import players_by_board

OPEN = Q(counted_at__isnull=True, is_annulled=False)
"""Fixtures whose result is still to come."""


def start_fixture(*, fixture: Fixture, competition: Competition, now: datetime) -> Match | None:
    """Start the fixture's match as ``start_fixtures`` does; return it, or ``None`` if this call started none."""
    had_a_match = fixture.match_id is not None
    start_fixtures(fixtures=[fixture], competition=competition, now=now)
    return None if had_a_match else fixture.match


def start_fixtures(*, fixtures: Iterable[Fixture], competition: Competition, now: datetime) -> None:
    """Start the matches of those fixtures that still need one, and store fixtures that are new.

    Fixtures have their entries and the entries' players. The number of queries does not depend on how many they are.
    A sweep withdraws players who have closed their accounts, and so gives the fixture its result. A board of two teams
    where a player is missing is forfeited, and so is what somebody has left. The caller holds the competition's lock. A
    match with a guest is not rated.
    """
    unplayed = [each for each in fixtures if each.match_id is None and each.counted_at is None and not each.is_annulled]
    take_up(competition=competition, fixtures=unplayed, now=now)
    unplayed = [each for each in unplayed if each.match_id is None and each.counted_at is None]
    lost = [each for each in unplayed if not _can_begin(each)]
    if lost:
        forfeit_without_play(competition=competition, fixtures=lost, now=now)
        unplayed = [each for each in unplayed if each.counted_at is None]
    due = [each for each in unplayed if all(_are_there(each))]
    terms = MatchTerms(
        game=competition.game,
        time_control=competition.time_control,
        vacation_limit=competition.vacation_limit,
        begin_within=competition.begin_within,
        competition=competition.pk,
        is_paused=competition.paused_at is not None,
    )
    pairings = []
    for fixture in due:
        yellow, red = fixture.players
        if yellow is None or red is None:
            continue
        is_rated = competition.is_rated and not (yellow.is_guest or red.is_guest)
        pairings.append(Pairing(BySide(yellow, red), is_rated))
    for fixture, match in zip(due, start_matches(terms=terms, pairings=pairings, now=now), strict=True):
        fixture.match = match
    store_fixtures(fixtures=unplayed, changed=["match"])


def store_fixtures(*, fixtures: Iterable[Fixture], changed: Sequence[str]) -> None:
    """Store fixtures that are new, and what has ``changed`` of the others: two queries however many they are."""
    fixtures = list(fixtures)
    new = [each for each in fixtures if each.pk is None]
    known = [each for each in fixtures if each.pk is not None]
    if new:
        Fixture.objects.bulk_create(new)
    if known:
        # An upsert of rows that are there is one statement of linear cost, which a bulk update is not.
        Fixture.objects.bulk_create(known, update_conflicts=True, unique_fields=["pk"], update_fields=[*changed])


def man_boards(*, round: Round) -> None:  # noqa: A002
    """Let those sit at the boards of a round whom the line-ups name; at a board whose match has begun nothing changes.

    Boards of a team that has withdrawn are manned as well, for the case that this is taken back.
    """
    fixtures = list(Fixture.objects.filter(round=round, is_annulled=False, match=None).order_by("pk"))
    seat_players(fixtures=fixtures, number=round.number)
    store_fixtures(fixtures=fixtures, changed=["yellow_player", "red_player"])


def seat_players(*, fixtures: Sequence[Fixture], number: int) -> None:
    """Let those sit at these boards of one competition whom the line-ups in force in a round name; nothing is stored.

    Four queries.
    """
    if not fixtures:
        return
    entries = sorted({entry for each in fixtures for entry in (each.yellow_id, each.red_id)})
    seated = players_by_board(competition_id=fixtures[0].competition_id, entries=entries, number=number)
    players = Player.objects.in_bulk(set(seated.values()))
    for each in fixtures:
        each.yellow_player = players.get(seated.get((each.yellow_id, each.board), 0))
        each.red_player = players.get(seated.get((each.red_id, each.board), 0))


def set_up_again(fixture: Fixture, *, now: datetime) -> Fixture:
    """Store and return a fixture of the same entrants in the place of one that counts no more; it has no match yet."""
    return Fixture.objects.create(
        competition_id=fixture.competition_id,
        group_id=fixture.group_id,
        round_id=fixture.round_id,
        tie_id=fixture.tie_id,
        leg=fixture.leg,
        board=fixture.board,
        yellow=fixture.yellow,
        red=fixture.red,
        yellow_player_id=fixture.yellow_player_id,
        red_player_id=fixture.red_player_id,
        challenger_id=fixture.challenger_id,
        # On a ladder nothing else says that it is this one which is played again.
        draw_place="" if fixture.round_id is not None else f"again/{fixture.pk}",
        created_at=now,
    )


def set_up_instead(fixture: Fixture, *, now: datetime) -> Fixture:
    """Set up a fixture again that other people play, and return the new one: of a replay, it is the replay now."""
    again = set_up_again(fixture, now=now)
    Fixture.objects.filter(replay=fixture).update(replay=again)
    return again


def add_fixture(
    *,
    competition: Competition,
    group_id: int,
    sides: BySide[Entry],
    now: datetime,
    challenger: Entry | None = None,
) -> Fixture:
    """Return a new game of a ladder, its match started. The caller holds the competition's lock."""
    fixture = new_fixture(competition=competition, group_id=group_id, sides=sides, now=now, challenger=challenger)
    start_fixture(fixture=fixture, competition=competition, now=now)
    return fixture


def new_fixture(
    *,
    competition: Competition,
    group_id: int,
    sides: BySide[Entry],
    now: datetime,
    challenger: Entry | None = None,
) -> Fixture:
    """Return a game of a ladder that is not stored yet, and has no match."""
    return Fixture(
        competition_id=competition.pk,
        group_id=group_id,
        yellow=sides.yellow,
        red=sides.red,
        challenger=challenger,
        created_at=now,
    )


def open_fixtures_of(entry: Entry) -> QuerySet[Fixture]:
    """Return the entrant's fixtures whose result is still to come, with their matches and both entries."""
    return (
        Fixture.objects.filter(OPEN, Q(yellow=entry) | Q(red=entry), competition_id=entry.competition_id)
        .select_related("match", "yellow", "red")
        .order_by("pk")
    )


def forfeit_without_play(*, competition: Competition, fixtures: Iterable[Fixture], now: datetime) -> None:
    """Count fixtures whose match never started because an entrant has left: the other one wins by forfeit, as of then.

    At a board of two teams neither of which has left, the player who sits there wins, as of when it was to be played.

    Where both had left it is a match that neither played. Fixtures have their entries; those with a
    match, or counted already, are left alone; those that are new are stored. The caller holds the competition's lock.
    """
    counted = [each for each in fixtures if each.match_id is None and each.counted_at is None and not each.is_annulled]
    began = _beginnings([each for each in counted if each.board is not None])
    for fixture in counted:
        left = BySide(fixture.yellow, fixture.red).map(_left_at)
        # What was set up later is forfeited from the beginning.
        at = min(
            (max(each, fixture.created_at) for each in left if each is not None),
            default=began.get((fixture.round_id, fixture.tie_id, fixture.leg), now),
        )
        here = BySide(*(each is None or each > at for each in left))
        if fixture.board is not None and all(here):
            here = _are_there(fixture)
        winner = None if here.yellow == here.red else (Side.YELLOW if here.yellow else Side.RED)
        _set_result(competition, fixture, winner, Ending.FORFEIT, at)
        fixture.counted_at = now
    if counted:
        store_fixtures(fixtures=counted, changed=[*NO_RESULT])
        if competition.is_endless:
            forget_games(fixtures=counted)
        mark_groups_stale(groups=Group.objects.filter(pk__in={each.group_id for each in counted}), now=now)


def _beginnings(boards: Sequence[Fixture]) -> dict[tuple[int | None, int | None, int], datetime]:
    """Return when meetings of teams began, by round, tie and leg: with their rounds, or with a match at another board.

    Two queries, none without boards.
    """
    if not boards:
        return {}
    rounds = Round.objects.filter(pk__in={each.round_id for each in boards}).values_list("pk", "started_at")
    started: dict[int | None, datetime] = {key: at for key, at in rounds if at is not None}
    others = Fixture.objects.filter(tie__in={each.tie_id for each in boards}, is_annulled=False, match__isnull=False)
    played = others.order_by().values_list("round", "tie", "leg").annotate(Min("match__created_at"))
    first = {(round_id, tie_id, leg): at for round_id, tie_id, leg, at in played}
    moments = {}
    for each in boards:
        key = each.round_id, each.tie_id, each.leg
        set_up_at = max(each.created_at, started.get(each.round_id, each.created_at))
        moments[key] = min(set_up_at, first.get(key, set_up_at))
    return moments


def _left_at(entry: Entry) -> datetime | None:
    return entry.left_at if entry.status == EntryStatus.GONE else None


def _can_begin(fixture: Fixture) -> bool:
    """Return whether nobody has left, and of two teams both have a player at the board."""
    return fixture.yellow.is_in and fixture.red.is_in and (fixture.board is None or all(_are_there(fixture)))


def _are_there(fixture: Fixture) -> BySide[bool]:
    """Return of which sides a player with an open account is there to play."""
    return BySide(*(player is not None and player.is_active for player in fixture.players))


def count_without_play(
    *, competition: Competition, fixture: Fixture, winner: Side | None, ending: Ending, now: datetime
) -> None:
    """Give a fixture that has no match its result; no goals. The caller holds the competition's lock."""
    _set_result(competition, fixture, winner, ending, now)
    fixture.save(update_fields=[*NO_RESULT])
    if competition.is_endless:
        forget_games(fixtures=[fixture])
    mark_standings_stale(group_id=fixture.group_id, now=now)


def _set_result(competition: Competition, fixture: Fixture, winner: Side | None, ending: Ending, at: datetime) -> None:
    fixture.counted_at = fixture.finished_at = at
    fixture.ending = ending
    fixture.points_yellow, fixture.points_red = competition.points_of(Outcome(winner, ending, BySide(0, 0)))
    fixture.goals_yellow = fixture.goals_red = 0
