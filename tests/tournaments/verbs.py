"""Running competitions in tests: players, cups and ladders, and results without whole matches."""

import random
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import mail
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from formats.options import options_of
from formats.protocol import Part
from formats.registry import FORMATS
from matches.clock import CORRESPONDENCE
from matches.models import Match, Status
from matches.services import play_move, start_match
from matches.services.adjudication import adjudicate_match
from players.models import Player
from players.services.mail_delivery import send_due
from rules_engine.values import Side
from tests.matches.play import move_both
from tournaments.decisions.services.draws import draw_cup
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.pauses import pause_competition, resume_competition
from tournaments.decisions.services.status import cancel_competition, close_competition, open_competition
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.corrections import correct_fixture
from tournaments.decisions.services.undo.starts import take_back_start
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.services.admission import admit_player, enter_competition
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import leave_competition, withdraw_entry
from tournaments.making.recipes import formats_of
from tournaments.making.services.competitions import STAGE_OPTIONS
from tournaments.models import (
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    Ladder,
    LogEntry,
    Round,
    Stage,
    Tie,
    WaitingPlayer,
)
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.records.ladders import RUNNING
from tournaments.rounds.services.draws import Draw
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services.challenges import challenge
from tournaments.running.services.entry_rows import make_entry, store_entries
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.running.services.notifications import send_news
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.start import start_competition
from tournaments.running.services.verification import verify_competition
from tournaments.tables.services.ratings import rate_waiting
from tournaments.tables.services.standings import recompute_if_stale, recompute_stale, recompute_standings

GAME = "streetsoccer-board"
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
TIEBREAKS = ["points", "wins", "draw"]
ALL_TIEBREAKS = ["points", "head-to-head", "wins", "goal-difference", "goals", "draw"]
ROUND_ROBIN: dict[str, Any] = {"format": "round-robin"}
RUNNING_FIXTURES = Fixture.objects.filter(RUNNING, match__status=Status.PLAYING).order_by("pk")
"""All fixtures whose match goes on."""


def make_players(count: int, prefix: str = "player") -> list[Player]:
    return Player.objects.bulk_create(
        [Player(username=f"{prefix}-{number}", date_joined=NOON) for number in range(1, count + 1)]
    )


def make_olga() -> Player:
    return Player.objects.create(username="olga", is_staff=True, date_joined=NOON)


def boss() -> Player:
    """Return a superuser, who organises everything."""
    return Player.objects.get_or_create(username="boss", defaults={"is_superuser": True, "is_staff": True})[0]


def make_cup(**options: Any) -> Cup:
    """Return a cup that is open for entry, of options of its own and its stage's, ``later`` stages, and who runs it."""
    return _make(Cup, {"slug": "cup", "name": "Cup"} | options)


def make_ladder(**options: Any) -> Ladder:
    """Return a ladder that is open for entry, of options like those of a cup."""
    return _make(Ladder, {"slug": "ladder", "name": "Ladder"} | options)


def make_stage(kind: type[Competition], options: dict[str, Any]) -> Stage:
    """Return a stage with those of the options that are its own, or its format's, and take these away from them."""
    stage = Stage(format=options.pop("format", formats_of(CompetitionKind(kind().kind))[0].key))
    for name in (STAGE_OPTIONS | {"grouping", "advance"}).intersection(options):
        setattr(stage, name, options.pop(name))
    known = {option.name for spec in FORMATS.values() for option in options_of(spec.options)}
    chosen = {name: options.pop(name) for name in known.intersection(options)}
    if stage.format == "challenge-ladder":
        chosen = {"challenges_by": "at-once"} | chosen
    own = {option.name for option in options_of(stage.format_spec.options)}
    stage.options = {name: value for name, value in chosen.items() if name in own}
    return stage


def _make(kind: Any, options: dict[str, Any]) -> Any:
    options = {"tiebreaks": TIEBREAKS} | options
    later, organiser, helper = (options.pop(name, None) for name in ("later", "organiser", "helper"))
    stage = make_stage(kind, options)
    # ``open_competition`` would leave it like this, and take four times as long.
    competition = kind(**{"game": GAME, "created_at": NOON, "status": CompetitionStatus.OPEN} | options)
    store_competition(
        competition=competition, stage=stage, later=[make_stage(kind, dict(each)) for each in later or ()]
    )
    log_action(competition=competition, action="opened", now=NOON)
    competition.refresh_from_db()
    if organiser is not None:
        competition.organisers.add(organiser)
    if helper is not None:
        competition.helpers.add(helper)
    return competition


def open_cup(size: int, *, prefix: str = "player", **options: Any) -> tuple[Cup, list[Entry]]:
    """Return a cup that is open for entry, and the entries of so many players, in their order."""
    cup = make_cup(**options)
    return cup, enter_all(cup, make_players(size, prefix))


def open_ladder(size: int, *, prefix: str = "player", **options: Any) -> tuple[Ladder, list[Entry]]:
    """Return a ladder that is open for entry, and the entries of so many players, in their order."""
    ladder = make_ladder(**options)
    return ladder, enter_all(ladder, make_players(size, prefix))


def enter_all(competition: Competition, players: Sequence[Player], now: datetime = NOON) -> list[Entry]:
    """Let these players join, in this order: all of them at once where nothing happens between two of them."""
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        if locked.status != CompetitionStatus.OPEN or locked.starts_when_full:
            return [enter_competition(competition_id=competition.pk, player=player, now=now) for player in players]
        entries = [make_entry(competition=locked, player=player, now=now) for player in players]
        store_entries(competition=locked, entries=entries, now=now)
        for player in players:
            log_action(competition=locked, action="joined", actor=player, subject=str(player), now=now)
    return entries


def start(competition: Competition, now: datetime = NOON) -> None:
    start_competition(competition_id=competition.pk, actor=None, now=now)
    competition.refresh_from_db()


def start_cup(size: int, *, prefix: str = "player", now: datetime = NOON, **options: Any) -> tuple[Cup, list[Entry]]:
    """Return a running cup of so many players, and their entries, first seed first."""
    cup = make_cup(**options)
    enter_all(cup, make_players(size, prefix), now)
    start(cup, now)
    return cup, list(Entry.objects.filter(competition=cup).order_by("seats__seed").select_related("player"))


def start_ladder(
    size: int, *, prefix: str = "player", now: datetime = NOON, **options: Any
) -> tuple[Ladder, list[Entry]]:
    """Return a running ladder of so many players without a game, and their entries in their order."""
    ladder, entries = open_ladder(size, prefix=prefix, **options)
    start(ladder, now)
    return ladder, entries


def enter(competition: Competition, player: Player, now: datetime = NOON, **given: Any) -> Entry:
    return enter_competition(competition_id=competition.pk, player=player, now=now, **given)


def admit(competition: Competition, player: Player, by: Player | None = None, now: datetime = NOON) -> Entry:
    return admit_player(competition_id=competition.pk, player=player, actor=by, now=now)


def leave(entry: Entry, now: datetime = NOON) -> Entry | None:
    return leave_competition(entry_id=entry.pk, now=now)


def withdraw(entry: Entry, by: Player | None = None, now: datetime = NOON, reason: str = "ill") -> Entry | None:
    return withdraw_entry(entry_id=entry.pk, actor=by, reason=reason, now=now)


def replace(entry: Entry, player: Player, by: Player, now: datetime = NOON, reason: str = "ill") -> Entry:
    return replace_entry(entry_id=entry.pk, player=player, actor=by, reason=reason, now=now)


def draw(cup: Competition, by: Player | None = None, now: datetime = NOON, **given: Any) -> Draw:
    return draw_cup(cup_id=cup.pk, actor=by, now=now, **given)


def open_entry(competition: Competition, by: Player | None = None, now: datetime = NOON) -> Competition:
    return open_competition(competition_id=competition.pk, actor=by, now=now)


def close_entry(competition: Competition, by: Player | None = None, now: datetime = NOON) -> Competition:
    return close_competition(competition_id=competition.pk, actor=by, now=now)


def cancel(
    competition: Competition, by: Player | None = None, now: datetime = NOON, reason: str = "Rain."
) -> Competition:
    return cancel_competition(competition_id=competition.pk, actor=by, now=now, reason=reason)


def undo_start(competition: Competition, by: Player, now: datetime = NOON, reason: str = "Early.") -> Competition:
    """Take back the start, whatever was played since."""
    return take_back_start(competition_id=competition.pk, confirm=True, actor=by, reason=reason, now=now)


def undo_withdrawal(entry: Entry, by: Player, now: datetime = NOON, reason: str = "Back.") -> Entry:
    """Take back a withdrawal, whatever was played since."""
    return take_back_withdrawal(entry_id=entry.pk, confirm=True, actor=by, reason=reason, now=now)


def pause(competition: Competition, by: Player | None = None, now: datetime = NOON) -> Competition:
    return pause_competition(competition_id=competition.pk, actor=by, reason="Snow.", now=now)


def resume(competition: Competition, by: Player | None = None, now: datetime = NOON) -> Competition:
    return resume_competition(competition_id=competition.pk, actor=by, reason="Thaw.", now=now)


def adjudicate(
    fixture: Fixture, winner: Side | None, by: Player, now: datetime = NOON, reason: str = "Rain."
) -> Fixture:
    """Decide a match as organisers do; it waits to be settled."""
    return adjudicate_fixture(fixture_id=fixture.pk, winner=winner, actor=by, reason=reason, now=now)


def correct(fixture: Fixture, winner: Side | None, by: Player, now: datetime = NOON, **given: Any) -> Fixture:
    """Correct a result as organisers do who say only who has won."""
    names = ("points_yellow", "points_red", "goals_yellow", "goals_red")
    values = dict.fromkeys(names) | {"is_rated": True, "confirm": True, "reason": "A cheat."} | given
    return correct_fixture(fixture_id=fixture.pk, winner=winner, actor=by, now=now, **values)


def annul(fixture: Fixture, by: Player, now: datetime = NOON, **given: Any) -> Fixture:
    return annul_fixture(fixture_id=fixture.pk, actor=by, now=now, **({"reason": "Wrong."} | given))


def replay(fixture: Fixture, by: Player, now: datetime = NOON, **given: Any) -> Fixture:
    return replay_fixture(fixture_id=fixture.pk, actor=by, now=now, **({"reason": "Again."} | given))


def pair(ladder: Competition, now: datetime = NOON) -> int:
    return pair_ladder(ladder_id=ladder.pk, now=now)


def let_challenge(challenger: Entry, opponent: Entry, now: datetime = NOON) -> Fixture:
    return challenge(
        ladder_id=challenger.competition_id, challenger=challenger.player, opponent=opponent.player, now=now
    )


def running(competition: Competition) -> list[Fixture]:
    """Return the competition's fixtures whose match goes on."""
    fixtures = RUNNING_FIXTURES.filter(competition_id=competition.pk)
    return list(fixtures.select_related("match", "yellow__player", "red__player"))


def end(fixture: Fixture, winner: Side | Entry | None, now: datetime = NOON) -> None:
    """End the fixture's match so, and settle it."""
    assert fixture.match_id is not None
    if isinstance(winner, Entry):
        winner = Side.YELLOW if winner == fixture.yellow else Side.RED
    end_match(fixture.match_id, winner, now)


def end_all(competition: Competition, winner: Side | None = Side.YELLOW, now: datetime = NOON) -> None:
    """End all matches that go on now so, and settle them."""
    for fixture in running(competition):
        end(fixture, winner, now)


def end_match(match_id: int, winner: Side | None, now: datetime) -> None:
    """End a match so, and settle it."""
    adjudicate_match(match_id=match_id, winner=winner, now=now)
    settle_match(match_id=match_id, now=now)


def let_time_run_out(match_id: int, now: datetime) -> None:
    """Let the time of who is to act in a match be over now, as if the turn had begun so much earlier."""
    match = Match.objects.get(pk=match_id)
    began_at = match.turn_started_at + (now - (match.deadline or now))
    Match.objects.filter(pk=match_id).update(turn_started_at=began_at, deadline=now)


def settle_all(now: datetime = NOON) -> None:
    """Settle what has finished, as the sweep would."""
    while unsettled := list(Match.objects.filter(status=Status.FINISHED, settled_at=None).values_list("pk", flat=True)):
        for match_id in unsettled:
            settle_match(match_id=match_id, now=now)


def play_out(
    competition: Competition,
    source: random.Random,
    *,
    now: datetime = NOON,
    winners: Sequence[Side | None] = (*Side, None),
) -> int:
    """End running matches in a random order with random winners until none goes on; return how many there were."""
    ended = 0
    going_on = RUNNING_FIXTURES.filter(competition_id=competition.pk).values_list("match_id", flat=True)
    while matches := list(going_on.all()):
        ended += 1
        end_match(source.choice(matches), source.choice(list(winners)), now + timedelta(minutes=ended))
    competition.refresh_from_db()
    return ended


def move_in(fixture: Fixture, now: datetime = NOON) -> None:
    """Let the player to act in a fixture's match play a move."""
    match = Match.objects.get(pk=fixture.match_id)
    player, text = match.player_to_act, match.state.legal_moves()[0]
    play_move(match_id=match.pk, player=player, ply=match.ply, text=text, now=now)


def tie_of(cup: Cup, number: int, slot: int, *, third_place: bool = False) -> Tie:
    return Tie.objects.select_related("first__player", "second__player", "winner__player", "round").get(
        round__group__stage__competition=cup,
        round__number=number,
        slot=slot,
        part=Part.THIRD_PLACE if third_place else Part.MAIN,
    )


def round_of(cup: Cup, number: int) -> Round:
    return Round.objects.get(group__stage__competition=cup, number=number)


def last_log(competition: Competition | Cup) -> tuple[str, str, str, str]:
    """Return who did what to whom, and why, at last."""
    line = LogEntry.objects.filter(competition_id=competition.pk).select_related("actor")[0]
    return str(line.actor), line.action, line.subject, line.reason


def group_of(competition: Competition) -> Group:
    """Return the one group of a competition, read with its stage."""
    return Group.objects.select_related("stage__competition").get(stage__competition=competition.pk)


def recompute_tables(*, competition_id: int, now: datetime) -> int:
    """Recompute the tables of all groups of a competition, and return how many rows changed."""
    return sum(recompute_standings(group_id=each, now=now) for each in _group_ids(competition_id))


def recompute_stale_tables(*, competition_id: int, now: datetime) -> None:
    """Recompute the tables of a competition that are stale."""
    for group_id in _group_ids(competition_id):
        recompute_if_stale(group_id=group_id, now=now)


def _group_ids(competition_id: int) -> list[int]:
    groups = Group.objects.filter(stage__competition=competition_id)
    return list(groups.order_by("stage__number", "number").values_list("pk", flat=True))


def entry_of(competition: Competition, username: str) -> Entry:
    return Entry.objects.select_related("player").get(competition=competition, player__username=username)


def players_in(competition: Competition) -> list[str]:
    """Return who is in a competition, in the order of entry."""
    entries = Entry.objects.filter(competition=competition, status=EntryStatus.ACTIVE).order_by("pk")
    return list(entries.values_list("player__username", flat=True))


def waiting_in(competition: Competition) -> list[str]:
    """Return who is on the waiting list of a competition, in order."""
    rows = WaitingPlayer.objects.filter(competition=competition, moved_up_at=None, removed_at=None).order_by("pk")
    return list(rows.values_list("player__username", flat=True))


def give_addresses() -> None:
    """Let all players have a confirmed address."""
    Player.objects.update(email=Concat("username", Value("@example.org")), email_confirmed_at=NOON)


def send_mails(now: datetime = NOON) -> dict[str, str]:
    """Send the mails that are due, and return their texts by who gets them."""
    mail.outbox.clear()
    send_news(now=now)
    send_due(clock=lambda: now)
    return {message.to[0].partition(" ")[0].partition("@")[0]: str(message.body) for message in mail.outbox}


def link_in(body: str) -> str:
    """Return the path of the link in the mail of an invitation."""
    found = re.search(r"https?://[^/]+(/mail/invitation/\S+)", body)
    assert found is not None
    return found[1]


def faults_of(competition: Competition, now: datetime = NOON) -> list[str]:
    """Return what is stored of a competition otherwise than its results give it."""
    return verify_competition(competition=Competition.objects.get(pk=competition.pk), now=now)


def count_all() -> None:
    """Make the tables and ratings what the results say."""
    recompute_stale(now=NOON)
    rate_waiting(now=NOON)


def play_some(competition: Competition, number: int, seed: int = 1) -> None:
    """End so many running matches of the competition with random winners, some hours apart."""
    source = random.Random(seed)
    going_on = RUNNING_FIXTURES.filter(competition_id=competition.pk)
    for turn in range(number):
        matches = list(going_on.values_list("match_id", flat=True))
        if not matches:
            break
        match = move_both(Match.objects.get(pk=source.choice(matches)))
        end_match(match.pk, source.choice(list(Side)), NOON + timedelta(hours=6 * turn))
    count_all()


def points_ladder(size: int, *, results: int) -> tuple[Ladder, list[Player]]:
    """Return a running points ladder on which some games have been played."""
    ladder, entries = start_ladder(size, min_matches=1)
    order_fully(ladder)
    pair(ladder)
    play_some(ladder, results)
    return ladder, [entry.player for entry in entries]


def challenge_ladder(size: int) -> tuple[Ladder, list[Player]]:
    """Return a running challenge ladder, the first player at the top, without a game."""
    ladder, entries = start_ladder(size, format="challenge-ladder")
    count_all()
    return ladder, [entry.player for entry in entries]


def finish_match(player: Player) -> None:
    """Let the player have played a match to its end."""
    other = Player.objects.create(username=f"other-{player.pk}")
    match = start_match(game=GAME, yellow=player, red=other, time_control=CORRESPONDENCE, now=timezone.now())
    adjudicate_match(match_id=match.pk, winner=None, now=timezone.now())


def order_fully(ladder: Ladder) -> Ladder:
    """Let the ladder's table be ordered by several tiebreaks."""
    ladder.stages.update(tiebreaks=ALL_TIEBREAKS)
    ladder.refresh_from_db()
    return ladder
