"""Fill a database with cups that are played in rounds, for ``benchmarks/grown_site.py``."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Max
from django.utils import timezone

from benchmarks.copied_rows import copy, count_on
from matches.models import Match
from players.models import Player
from tournaments.decisions.services.status import open_competition
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.making.services.competitions import create_competition
from tournaments.models import (
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    Group,
    LineUp,
    LogEntry,
    ProposedRound,
    Round,
    Seat,
    Series,
    Stage,
    Standing,
    Team,
)
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services.numbers import store_numbers
from tournaments.running.services.start import start_competition

MIN_LISTED = 110
"""The smallest site has at least so many of everything that is listed."""

GAME = "streetsoccer-board"
SEASONS_PLAYED = 8
"""The number of seasons that each player of a series has played."""
FIRST_CAPTAIN = 7
"""The number of the player, among those of the cups, who is captain of the first team."""

RESULT = {
    "counted_at": "played.finished_at",
    "finished_at": "played.finished_at",
    "ending": "played.ending",
    "points_yellow": "played.points_yellow",
    "points_red": "played.points_red",
    "goals_yellow": "played.score_yellow",
    "goals_red": "played.score_red",
}
"""The columns of a fixture that say how its match has ended."""


@dataclass(frozen=True, slots=True)
class Field:
    """A cup to store: its entrants are the first of the ``players`` that follow the id ``last``.

    In each of its ``groups`` there are ``size`` entrants, an even number, who have begun so many ``rounds``. The last
    of these goes on, unless the cup ``waits_for_organiser``, who is to publish the next one. With ``boards`` its
    entrants are teams.
    """

    name: str
    slug: str
    last: int
    players: int
    size: int
    rounds: int
    groups: int = 1
    grouping: Mapping[str, Any] | None = None
    boards: int | None = None
    waits_for_organiser: bool = False

    @property
    def entrants(self) -> int:
        """Return how many entrants there are in all groups."""
        return self.groups * self.size

    @property
    def format(self) -> str:
        """Return the key of its format."""
        return "swiss" if self.waits_for_organiser else "round-robin"


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids that those of a cup's rows follow: groups after the first one, and entries, seats and rounds."""

    group: int
    entry: int
    seat: int
    round: int


def fill_cup(field: Field, *, creator: Player, over: Match, going: Match) -> None:
    """Store a cup with its groups, entrants, tables, rounds, matches like these two, and log."""
    now = timezone.now()
    cup = Cup(name=field.name, slug=field.slug, game=over.game, status=CompetitionStatus.RUNNING, created_at=now)
    cup.started_at, cup.creator, cup.boards = now, creator, field.boards
    options = {"rounds": 2 * field.rounds, "organisers_publish": True} if field.waits_for_organiser else {}
    grouping = dict(field.grouping) if field.grouping else None
    stage = Stage(format=field.format, options=options, grouping=grouping, round_days=7)
    store_competition(competition=cup, stage=stage)
    group = cup.first_stage.groups.get()
    group.started_at = now
    group.save()
    template = Round.objects.create(group=group, number=field.rounds + 2, started_at=now, ended_at=now)
    ids = _fill_entrants(field, template, creator)
    _fill_rounds(field, group, ids)
    _fill_matches(field, group, ids, {"over": over, "going": going})
    template.delete()
    imported = LogEntry.objects.create(competition=cup, action="imported", logged_at=now, is_notified=True)
    copy(imported, 2 * MIN_LISTED, logged_at="now() - nth * interval '1 minute'")
    store_numbers(competition_id=cup.pk)
    count_on(Group, Entry, Seat, Round, Team)


def _fill_entrants(field: Field, template: Round, creator: Player) -> Ids:
    """Store groups, and entrants with seats and places in them."""
    now, group = timezone.now(), template.group
    cup = group.competition
    copy(group, field.groups - 1, id=f"{group.pk} + nth", number="1 + nth")
    entry = Entry.objects.create(competition=cup, player=creator, draw=1, entered_at=now)
    seat = Seat.objects.create(entry=entry, stage=group.stage, group=group, seed=field.size + 1)
    standing = Standing.objects.create(seat=seat, group=group, place=1, played=field.rounds)
    line_up = LineUp.objects.create(entry=entry, players=[], set_at=now)
    ids = Ids(group.pk, entry.pk, seat.pk, template.pk)
    own = {"player_id": f"{field.last} + nth"} if field.boards is None else _fill_teams(field, creator)
    copy(entry, field.entrants, id=f"{ids.entry} + nth", draw="nth", **own)
    of_group, place = f"{ids.group} + (nth - 1) / {field.size}", f"1 + (nth - 1) % {field.size}"
    copy(seat, field.entrants, id=f"{ids.seat} + nth", entry_id=f"{ids.entry} + nth", group_id=of_group, seed=place)
    of_seat = {"seat_id": f"{ids.seat} + nth", "group_id": of_group}
    copy(standing, field.entrants, identity="seat_id", **of_seat, place=place)
    if field.boards is not None:
        boards = ", ".join(_player_at(field, "nth", board) for board in range(1, field.boards + 1))
        copy(line_up, field.entrants, entry_id=f"{ids.entry} + nth", players=f"jsonb_build_array({boards})")
    for row in (line_up, standing, seat, entry):
        row.delete()
    return ids


def _fill_teams(field: Field, creator: Player) -> dict[str, str]:
    """Store teams, of which each has its captain, and return what is theirs in an entry."""
    team = Team.objects.create(
        name=field.name,
        folded_name=field.slug,
        slug=field.slug,
        captain=creator,
        created_at=timezone.now(),
        first_colour="red",
    )
    captain = {"captain_id": _player_at(field, "nth", 1)}
    named = {
        "name": f"'{field.name} ' || nth",
        "folded_name": f"'{field.slug} ' || nth",
        "slug": f"'{field.slug}-' || nth",
    }
    copy(team, field.entrants, id=f"{team.pk} + nth", **captain, **named)
    return {"player_id": captain["captain_id"], "team_id": f"{team.pk} + nth"}


def _player_at(field: Field, team: str, board: int | str) -> str:
    """Return the id of who sits at a board of a team; both count from 1."""
    return f"{field.last} + 1 + ({FIRST_CAPTAIN - 1} + ({team} - 1) * {field.boards} + {board} - 1) % {field.players}"


def _fill_rounds(field: Field, group: Group, ids: Ids) -> None:
    """Store the rounds of all groups: those that have ended, the current one, and the one after it."""
    now = timezone.now()
    of_group = {"group_id": f"{ids.group} + (nth - 1) / {field.rounds}", "number": f"1 + (nth - 1) % {field.rounds}"}
    template = Round.objects.get(pk=ids.round)
    copy(template, field.groups * field.rounds, id=f"{ids.round} + nth", **of_group)
    if field.waits_for_organiser:
        half = field.size // 2
        pairs = [[ids.seat + 1 + each, ids.seat + 1 + half + (each + field.rounds) % half] for each in range(half)]
        drawn = {"pairs": pairs, "byes": [], "asked_byes": []}
        number = field.rounds + 1
        ProposedRound.objects.create(group=group, number=number, drawn_at=now, drawn=drawn, pairings=drawn)
    else:
        last_rounds = Round.objects.filter(group__stage=group.stage, number=field.rounds)
        last_rounds.update(ended_at=None, ends_at=now + timedelta(days=3))
        coming = {
            "id": f"{ids.round + field.groups * field.rounds} + nth",
            "group_id": f"{ids.group} + nth - 1",
            "number": str(field.rounds + 1),
        }
        copy(template, field.groups, **coming, started_at="NULL", ended_at="NULL")


def _fill_matches(field: Field, group: Group, ids: Ids, matches: dict[str, Match]) -> None:
    """Store the matches of all rounds: those of the current one go on, and the others are over."""
    now, cup = timezone.now(), group.competition
    boards, half = field.boards or 1, field.size // 2
    of_round = half * boards
    group_of, round_of = f"(nth - 1) / {of_round * field.rounds}", f"(nth - 1) / {of_round} % {field.rounds}"
    board, pair = f"1 + (nth - 1) % {boards}", f"(nth - 1) / {boards} % {half}"
    home = f"{group_of} * {field.size} + {pair} + 1"
    guest = f"{group_of} * {field.size} + {half} + ({pair} + {round_of}) % {half} + 1"
    # The home team is Yellow on odd boards.
    yellow, red = (
        f"CASE WHEN ({board}) % 2 = 1 THEN {one} ELSE {other} END" for one, other in ((home, guest), (guest, home))
    )
    sides = {"yellow": yellow, "red": red}
    if field.boards is None:
        players = {f"{side}_id": f"{field.last} + {each}" for side, each in sides.items()}
    else:
        players = {f"{side}_id": _player_at(field, f"({each})", f"({board})") for side, each in sides.items()}
    before = Match.objects.latest("pk").pk
    own = {"id": f"{before} + nth", "competition": str(cup.pk), **players}
    played = "true" if field.waits_for_organiser else f"{round_of} < {field.rounds - 1}"
    source = f"generate_series(1, {field.groups * of_round * field.rounds}) AS nth WHERE"
    moment = "now() - nth * interval '1 minute'"
    copy(matches["over"], f"{source} {played}", **own, finished_at=moment, created_at=moment)
    copy(matches["going"], f"{source} NOT ({played})", **own)
    entry = Entry.objects.filter(competition=cup)
    fixture = Fixture.objects.create(
        competition=cup,
        group=group,
        yellow=entry.earliest("pk"),
        red=entry.latest("pk"),
        created_at=now,
        is_notified=True,
    )
    at_board = {"board": board, "yellow_player_id": "played.yellow_id", "red_player_id": "played.red_id"}
    copy(
        fixture,
        f"{source.removesuffix('WHERE')} JOIN matches_match AS played ON played.id = {before} + nth WHERE true",
        match_id="played.id",
        group_id=f"{ids.group} + {group_of}",
        round_id=f"{ids.round} + 1 + ({group_of}) * {field.rounds} + {round_of}",
        **{f"{side}_id": f"{ids.entry} + {each}" for side, each in sides.items()},
        **(at_board if field.boards is not None else {}),
        **RESULT,
    )
    fixture.delete()


def fill_seasons(
    series: Series, creator: Player, last: int, players: int, *, seasons: int, groups: int, size: int
) -> None:
    """Store seasons of a series that are over, after those that there are, with the table of each of their groups."""
    now = timezone.now()
    count_on(Entry, Seat)
    before = Cup.objects.filter(series=series).aggregate(last=Max("season"))["last"]
    cup = Cup(
        name="League", slug=f"after-season-{before}", game=GAME, status=CompetitionStatus.FINISHED, created_at=now
    )
    cup.started_at = cup.finished_at = now
    grouping = {"league_size": size} if groups > 1 else None
    store_competition(competition=cup, stage=Stage(format="round-robin", grouping=grouping))
    stage, entrants = cup.first_stage, groups * size
    group = stage.groups.get()
    entry = Entry.objects.create(competition=cup, player=creator, draw=1, entered_at=now)
    seat = Seat.objects.create(entry=entry, stage=stage, group=group, seed=1)
    standing = Standing.objects.create(seat=seat, group=group, place=1, played=size - 1)
    own = {"series_id": str(series.pk), "season": f"{before} + nth", "entrants": str(entrants)}
    names = {"slug": f"'league-' || {before} + nth", "name": f"'League ' || {before} + nth"}
    copy(cup, seasons, id=f"{cup.pk} + nth", **own, **names)
    copy(stage, seasons, id=f"{stage.pk} + nth", competition_id=f"{cup.pk} + nth")
    of_stage = {"stage_id": f"{stage.pk} + 1 + (nth - 1) / {groups}", "number": f"1 + (nth - 1) % {groups}"}
    copy(group, seasons * groups, id=f"{group.pk} + nth", **of_stage)
    season, of_group = f"(nth - 1) / {entrants}", f"{group.pk} + 1 + (nth - 1) / {size}"
    # From season to season an eighth of the players is exchanged for others, of those who are not in the ladder.
    shift = f"{players} / 2 + {season} * {entrants} / {SEASONS_PLAYED}"
    player = f"{last} + 1 + ({shift} + (nth - 1) % {entrants}) % {players}"
    of_season = {"competition_id": f"{cup.pk} + 1 + {season}", "player_id": player}
    copy(entry, seasons * entrants, id=f"{entry.pk} + nth", **of_season)
    of_entry = {"entry_id": f"{entry.pk} + nth", "stage_id": f"{stage.pk} + 1 + {season}", "group_id": of_group}
    place = f"1 + (nth - 1) % {size}"
    copy(seat, seasons * entrants, id=f"{seat.pk} + nth", **of_entry, seed=place)
    of_seat = {"seat_id": f"{seat.pk} + nth", "group_id": of_group}
    copy(standing, seasons * entrants, identity="seat_id", **of_seat, place=place)
    count_on(Cup, Stage, Group, Entry, Seat)


def fill_bracket(organiser: Player, last: int, size: int) -> None:
    """Start a knock-out of so many players, whose first round is running."""
    now = timezone.now()
    organiser.is_staff = organiser.is_superuser = True
    cup = Cup(name="Bracket", slug="bracket", game=GAME)
    create_competition(competition=cup, stage=Stage(format="knock-out"), creator=organiser, now=now)
    open_competition(competition_id=cup.pk, actor=organiser, now=now)
    entrants = Player.objects.filter(pk__gt=last, pk__lte=last + size).values_list("username", flat=True)
    import_entry_list(competition_id=cup.pk, text="\n".join(entrants), actor=organiser, now=now)
    start_competition(competition_id=cup.pk, actor=organiser, now=now)
