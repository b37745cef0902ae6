"""The line-ups of teams: which one holds, and who may sit for whom. Reads only."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, Max, OuterRef, Q, prefetch_related_objects

from database.compiled_queries import CompiledQuery
from formats.protocol import Flow
from formats.registry import get_format
from players.models import Player
from rules_engine.values import Side
from tournaments.models import (
    ENDED,
    MAX_ROUND,
    SITTING,
    Competition,
    CompetitionStatus,
    Entry,
    EntryInvitation,
    EntryStatus,
    Fixture,
    LineUp,
    MembershipStatus,
    Round,
    Team,
    TeamMembership,
    Tie,
)
from tournaments.models.rights import Right
from tournaments.office.selectors.invitations import STANDS
from tournaments.office.selectors.organisers import rights_in
from tournaments.records.groups import SEATS


def line_ups_in_force(entries: Collection[int], *, number: int) -> Mapping[int, LineUp]:
    """Return the line-up of each of these entries that holds in a round, by their ids: the last one until then.

    One query.
    """
    until_then = LineUp.objects.filter(entry__in=entries, round_number__lte=number)
    return {each.entry_id: each for each in until_then.order_by("round_number")}


def latest_round_begun(competition: Competition) -> int | None:
    """Return the number of the latest round of a competition that has begun, ``None`` before the first. One query."""
    begun = Round.objects.filter(group__stage__competition=competition.pk, started_at__isnull=False)
    number: int | None = begun.aggregate(latest=Max("number"))["latest"]
    return number


def line_ups_to_show(*, competition: Competition, number: int, viewer: Player | None) -> list[LineUp]:
    """Return the line-ups that hold in a round and that somebody may see, by team, with entries and teams.

    Everybody sees those of a round that has begun; before, captains see that of their own team, and organisers all.
    Four queries at most.
    """
    entries = Entry.objects.filter(competition=competition.pk, team__isnull=False)
    own = Round.objects.filter(group__stage__competition=competition.pk, number=number)
    if not own.filter(started_at__isnull=False).exists():
        if viewer is None:
            return []
        if Right.ORGANISE not in rights_in(competition=competition, player=viewer):
            entries = entries.filter(team__captain=viewer)
    teams = list(entries.select_related("team").order_by("team__folded_name"))
    held = line_ups_in_force([each.pk for each in teams], number=number)
    shown = []
    for entry in teams:
        if (line_up := held.get(entry.pk)) is not None:
            line_up.entry = entry
            shown.append(line_up)
    return shown


def players_by_board(
    *, competition_id: int, entries: Sequence[int], number: int
) -> Mapping[tuple[int, int | None], int]:
    """Return the ids of those who sit in a round by the line-ups in force, by entry and board, counted from 1.

    A player who is no member of the team any more, has closed the account, or has played for another team of the
    competition is left out, and nobody moves up. Of two teams that name the same player the first has them. Three
    queries.
    """
    line_ups = line_ups_in_force(entries, number=number)
    named = {player for each in line_ups.values() for player in each.players}
    may_sit = _members_among(named, entries)
    sat_for = _teams_sat_for(competition_id, named)
    seated: dict[tuple[int, int | None], int] = {}
    for entry in entries:
        players = line_ups[entry].players if entry in line_ups else []
        for board, player in enumerate(players, start=1):
            if (entry, player) in may_sit and sat_for.setdefault(player, entry) == entry:
                seated[entry, board] = player
    return seated


def sits_for_another(*, entry: Entry, players: Collection[int]) -> Player | None:
    """Return the first of these players who has played for another team of the competition, or is in its line-ups.

    Eight queries at most.
    """
    taken = _those_of_others(entry, players)
    return Player.objects.filter(pk__in=taken).order_by("username").first() if taken else None


def usual_line_up(entry: Entry) -> list[int]:
    """Return the ids of the members who sit at the boards if nobody names others: the longest ones who may.

    The entry, which may be new, has its competition and team. Eight queries at most.
    """
    members = TeamMembership.objects.filter(
        team=entry.team, status=MembershipStatus.MEMBER, player__is_active=True
    ).order_by("joined_at", "pk")
    players = list(members.values_list("player", flat=True))
    taken = _those_of_others(entry, players)
    return [key for key in players if key not in taken][: entry.competition.boards]


def _those_of_others(entry: Entry, players: Collection[int]) -> set[int]:
    """Return which of these players have played for another team of the competition, or are in its line-ups.

    Line-ups count that hold in the next round or will later, of teams that play on in one, and of their members of
    now. Seven queries at most.
    """
    others = LineUp.objects.filter(entry__competition=entry.competition_id, entry__status=EntryStatus.ACTIVE)
    by_entry: dict[int, list[LineUp]] = defaultdict(list)
    for each in others.exclude(entry=entry.pk).order_by("round_number"):
        by_entry[each.entry_id].append(each)
    members = _members_among(players, by_entry) if by_entry else set()
    coming = coming_rounds_of(by_entry) if by_entry else {}
    lined_up = {
        player
        for key, line_ups in by_entry.items()
        if (numbers := coming[key])
        for each in _in_force_or_later(line_ups, numbers[0])
        for player in each.players
        if (key, player) in members
    }
    sat_for = _teams_sat_for(entry.competition_id, players)
    return {key for key in players if key in lined_up or sat_for.get(key, entry.pk) != entry.pk}


def teams_to_enter(*, competition: Competition, captain: Player) -> list[Team]:
    """Return the teams, by name, one of which a captain may enter in a competition of teams: none once one is in it.

    Of one by invitation they are those that are invited. One query.
    """
    entered = Entry.objects.filter(competition=competition.pk)
    led = Team.objects.filter(captain=captain, closed_at=None)
    if competition.by_invitation:
        led = led.filter(
            Exists(EntryInvitation.objects.filter(STANDS, competition=competition.pk, team=OuterRef("pk")))
        )
    return list(
        led.exclude(Exists(entered.filter(player=captain)))
        .exclude(Exists(entered.filter(team__captain=captain)))
        .order_by("folded_name")
    )


def entries_led_by(*, competition: Competition, captain: Player) -> list[Entry]:
    """Return the entries of the teams that a player leads and that are in a competition, with teams and players.

    They are in the order in which the teams joined. A captain enters one team; to lead others as well they have been
    made the captain later.
    """
    entries = Entry.objects.filter(competition=competition.pk, team__captain=captain, status=EntryStatus.ACTIVE)
    led = list(entries.select_related("team", "player").order_by("pk"))
    for each in led:
        each.competition = competition
    return led


def usernames_in(players: Sequence[int]) -> list[str]:
    """Return the usernames of the players of a line-up in its order. One query."""
    names = dict(Player.objects.filter(pk__in=players).values_list("pk", "username"))
    return [names[key] for key in players if key in names]


def coming_line_up_rounds(entry: Entry) -> list[int]:
    """Return the rounds, by number, whose line-up can still be set: before the draw only the first.

    In a knock-out they are those from the team's open tie on, and none for a team that is out. Three queries at most,
    none after ``read_coming_rounds``.
    """
    known: list[int] | None = vars(entry).get("coming_rounds")
    return coming_rounds_of([entry.pk])[entry.pk] if known is None else known


def read_coming_rounds(entries: Collection[Entry]) -> None:
    """Read what ``coming_line_up_rounds`` returns of each of a list of entries. Three queries at most."""
    teams = [each for each in entries if each.team_id is not None]
    coming = coming_rounds_of([each.pk for each in teams]) if teams else {}
    for each in teams:
        vars(each)["coming_rounds"] = coming[each.pk]


def coming_rounds_of(entries: Collection[int]) -> dict[int, list[int]]:
    """Return the same for several entries, by their ids. Three queries at most."""
    rounds = Round.objects.filter(group__seats__entry__in=entries).order_by("number")
    by_entry: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    in_ties: set[int] = set()
    columns = ("group__seats__entry", "number", "started_at", "group__stage__format")
    for key, number, started_at, format_ in rounds.values_list(*columns):
        by_entry[key].append((number, started_at is None))
        if get_format(format_).flow is Flow.TIES:
            in_ties.add(key)
    first = _open_tie_rounds(in_ties)
    found = {key: by_entry.get(key, [(1, True)]) for key in entries}
    return {
        key: [number for number, is_coming in of_entry if is_coming and number >= first.get(key, 0)]
        for key, of_entry in found.items()
    }


def _open_tie_rounds(entries: Collection[int]) -> dict[int, int]:
    """Return the numbers of the rounds in which entrants of knock-outs play next, or play now, by their ids.

    One is beyond all rounds for who is out. Two queries at most.
    """
    found = dict.fromkeys(entries, MAX_ROUND + 1)
    for side in ("first", "second") if entries else ():
        open_ties = Tie.objects.filter(**{f"{side}__in": entries}, decided_at=None)
        found |= dict(open_ties.values_list(side, "round__number"))
    return found


MAX_TO_NAME = 20


@dataclass(frozen=True, slots=True)
class LineUpToName:
    """A team whose captain has named nobody for the next round to begin: the last line-up holds until they do."""

    entry: Entry
    number: int


def line_ups_to_name(captain: Player) -> list[LineUpToName]:
    """Return the teams that a player leads and for whose next round they have named no line-up. Three queries at most.

    Round 1 has the order in which the team joined. The entries have their competitions and teams.
    """
    entries = _LED.all(captain_id=captain.pk)
    if not entries:
        return []
    coming = coming_rounds_of([each.pk for each in entries])
    named = set(LineUp.objects.filter(entry__in=entries).values_list("entry", "round_number"))
    return [
        LineUpToName(each, numbers[0])
        for each in entries
        if (numbers := coming[each.pk]) and numbers[0] > 1 and (each.pk, numbers[0]) not in named
    ]


_LED = CompiledQuery(
    lambda captain_id: (
        Entry.objects.filter(
            team__captain=captain_id,
            status=EntryStatus.ACTIVE,
            competition__status=CompetitionStatus.RUNNING,
            competition__hidden_at=None,
        )
        .select_related("team", "competition")
        .order_by("pk")[:MAX_TO_NAME]
    )
)


def _in_force_or_later(line_ups: Sequence[LineUp], number: int) -> Sequence[LineUp]:
    """Return, of the line-ups of a team by round, the one that holds in a round and those after it."""
    held = [index for index, each in enumerate(line_ups) if each.round_number <= number]
    return line_ups[max(held, default=0) :]


def _members_among(players: Collection[int], entries: Collection[int]) -> set[tuple[int, int]]:
    """Return which of these players are members, with open accounts, of which of these teams, as (entry, player)."""
    members = TeamMembership.objects.filter(
        status=MembershipStatus.MEMBER, player__in=players, player__is_active=True, team__entries__in=entries
    )
    return set(members.values_list("team__entries", "player"))


def _teams_sat_for(competition_id: int, players: Collection[int]) -> dict[int, int]:
    """Return for which entry of a competition these players have played in it."""
    found: dict[int, int] = {}
    for side in ("yellow", "red"):
        sat = Fixture.objects.filter(competition=competition_id, match__isnull=False, **{f"{side}_player__in": players})
        found |= dict(sat.values_list(f"{side}_player", side))
    return found


MAX_OWN_BOARDS = 30


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A match that the player has played at a board, and its result, their own part first."""

    fixture: Fixture
    opponent: str
    points: tuple[int, int]
    goals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OwnBoards:
    """The team for which a player sits at boards, and their matches that have a result, the latest first.

    ``is_past`` says that they cannot sit there any more.
    """

    entry: Entry
    results: Sequence[OwnBoard]
    is_past: bool


def own_boards_in(competition: Competition, player: Player | None) -> OwnBoards | None:
    """Return for which team a player sits or has sat in a competition, and their results; ``None`` for nobody else.

    The entry has its seats. Five queries at most.
    """
    if player is None or competition.boards is None:
        return None
    own = Q(yellow_player=player) | Q(red_player=player)
    fixtures = Fixture.objects.filter(own, competition=competition.pk, is_annulled=False)
    found = list(fixtures.select_related("round", *SITTING).order_by("-round__number", "-pk")[:MAX_OWN_BOARDS])
    if not found:
        return None
    latest = found[0]
    entry = latest.yellow if latest.yellow_player_id == player.pk else latest.red
    entry.competition = competition
    prefetch_related_objects([entry], SEATS)
    results = [board for each in found if (board := _read(each, player)) is not None]
    return OwnBoards(entry, results, is_past=not _plays_on(entry) or not _is_member(entry, player))


def _plays_on(entry: Entry) -> bool:
    """Return whether a team that has played is not out: in a knock-out it has an open tie."""
    competition = entry.competition
    if competition.status in ENDED or not entry.is_in:
        return False
    open_ties = Tie.objects.filter(Q(first=entry) | Q(second=entry), decided_at=None)
    return not competition.first_stage.is_bracket or open_ties.exists()


def _is_member(entry: Entry, player: Player) -> bool:
    own = TeamMembership.objects.filter(team=entry.team_id, player=player, status=MembershipStatus.MEMBER)
    return own.exists()


def _read(fixture: Fixture, player: Player) -> OwnBoard | None:
    if fixture.points is None or fixture.goals is None:
        return None
    own = Side.YELLOW if fixture.yellow_player_id == player.pk else Side.RED
    other = own.opponent
    return OwnBoard(
        fixture,
        fixture.name_of(other),
        (fixture.points[own], fixture.points[other]),
        (fixture.goals[own], fixture.goals[other]),
    )
