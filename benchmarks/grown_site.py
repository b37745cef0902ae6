"""Fill a database with a site of any size, for ``benchmarks/pages.py``: the same for each player, however many."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group as StaffGroup
from django.utils import timezone

from benchmarks.copied_rows import copy, count_on, query
from benchmarks.grown_cups import (
    FIRST_CAPTAIN,
    GAME,
    MIN_LISTED,
    RESULT,
    SEASONS_PLAYED,
    Field,
    fill_bracket,
    fill_cup,
    fill_seasons,
)
from formats.protocol import Order
from matches.clock import TimeControl
from matches.models import AnalysisStatus, Match, MatchAnalysis, Move, Seek, SeekStatus
from matches.services.adjudication import adjudicate_match
from matches.services.moves import play_move
from matches.services.new_matches import start_match
from players.models import ApiToken, Delivery, DeliveryState, MailKind, Player, Rating
from rules_engine.values import Side
from tournaments.models import (
    CompetitionStatus,
    Cup,
    Entry,
    EntryInvitation,
    Fixture,
    InvitationStatus,
    Ladder,
    LogEntry,
    MembershipStatus,
    Note,
    PlaceChange,
    RatingChange,
    RoleInvitation,
    Seat,
    Series,
    Stage,
    Standing,
    Team,
    TeamMembership,
    Title,
    WaitingPlayer,
)
from tournaments.models.rights import Role
from tournaments.models.title_names import TitleKind
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services.numbers import store_numbers
from tournaments.tables.services.rating_counts import recount_ratings
from tournaments.tables.services.standing_rows import store_sections

RESULTS, RUNNING = 3, 0.1
"""Matches that are over, and that go on, for each player."""

CONTROL = TimeControl(bank=timedelta(days=10), increment=timedelta(days=1), cap=timedelta(days=10))
SIZES = {"seeks": 0.6, "open seeks": 0.04, "cups": 0.01}
"""The numbers of seeks, open seeks and cups for each player."""

MIN_BRACKET, MAX_BRACKET = 64, 1024
"""The least and most players in a bracket: the smallest site shows all its ties, as many as a part of the largest."""

MIN_NEWCOMERS = 200
"""The number of players without a result on a ladder of the smallest site: whole pages."""

MIN_OTHERS = 10
"""The number of players who are not on that ladder, among them the one who looks at the pages."""

SEASONS = 0.0005
"""Seasons of a series that are over, for each player, at least as many as most of its players have played."""

LEAGUE_GROUP, MIN_LEAGUES, IN_LEAGUES = 10, 6, 0.002
"""Players in each group of a season, and its groups: at least so many, and so many for each player."""

MIN_FIELD, IN_FIELD = 100, 0.05
"""Players in a season of one group: at least so many, and so many for each player."""

IN_NO_CUP = 20
"""The first so many players are in no cup that is played in rounds, and not on the challenge ladder."""

IN_CHALLENGES = 2
"""One of so many players is on the challenge ladder."""

IN_SWISS, MAX_SWISS, SWISS_ROUNDS = 0.02, 1000, 7
"""Players in a Swiss, for each player, as many as there are at most, and its rounds; at least ``MIN_FIELD``."""

MIN_GROUPS = 20
"""Groups of the league whose rounds go on, at least; further ones as in ``IN_LEAGUES``."""

TEAMS, BOARDS = 10, 4
"""Teams in a league, on a site of any size, and the boards at which two of them meet."""


def fill(players: int) -> None:
    """Store a site with so many players: their matches, seeks and ratings, ladders for every other one, and cups."""
    now = timezone.now()
    yellow, red = (
        Player.objects.create(username=f"first-{each}", date_joined=now, email_confirmed_at=now) for each in range(2)
    )
    last = red.pk
    copy(
        yellow,
        players,
        username="'player-' || lpad(nth::text, 6, '0')",
        id=f"{last} + nth",
        is_staff=False,
        is_superuser=False,
    )
    fill_bracket(yellow, last, max(MIN_BRACKET, min(MAX_BRACKET, 2 ** (players // 7).bit_length() // 2)))
    over, going = _templates(yellow, red)
    rating = Rating.objects.create(player=yellow, family="streetsoccer", games=9, wins=3)
    copy(rating, players, player_id=f"{last} + nth", rating="1000 + nth * 7919 % 1000", games="1 + nth % 50")
    recount_ratings(family=rating.family)
    seek = Seek.objects.create(
        creator=yellow, game=GAME, status=SeekStatus.WITHDRAWN, created_at=now, **_time_columns(over)
    )
    of_player = f"{last} + 1 + nth % {players}"
    copy(seek, int(SIZES["seeks"] * players), creator_id=of_player, created_at="now() - nth * interval '1 second'")
    copy(seek, max(MIN_LISTED, int(SIZES["open seeks"] * players)), creator_id=of_player, status="'open'")
    for field in _fields(last + IN_NO_CUP, players - IN_NO_CUP):
        fill_cup(field, creator=yellow, over=over, going=going)
    ladder = _fill_ladder(yellow, last, players // 2, name="Ladder", slug="ladder", format_key="points-ladder")
    entrants = players // IN_CHALLENGES
    challenges = _fill_ladder(
        yellow, last + IN_NO_CUP, entrants, name="Challenges", slug="challenges", format_key="challenge-ladder"
    )
    _fill_matches(last, players, over, going, ladder)
    _fill_challenges(last + IN_NO_CUP, entrants, over, going, challenges)
    _fill_moves(over, going)
    _fill_newcomers(yellow, last, players)
    _fill_cups(yellow, max(MIN_LISTED, int(SIZES["cups"] * players)), of_player)
    _fill_accounts(yellow, last, players)
    _fill_lists(yellow, last, players, ladder)
    vacuum()


def _fields(last: int, players: int) -> list[Field]:
    """Return the cups that are played in rounds: a Swiss, a league with groups, and one of teams."""
    swiss = _even(min(MAX_SWISS, max(MIN_FIELD, int(IN_SWISS * players))))
    groups = max(MIN_GROUPS, int(IN_LEAGUES * players))
    rounds = LEAGUE_GROUP - 2
    leagues = {"league_size": LEAGUE_GROUP}
    return [
        Field("Swiss", "swiss", last, players, size=swiss, rounds=SWISS_ROUNDS, waits_for_organiser=True),
        Field("Groups", "groups", last, players, size=LEAGUE_GROUP, rounds=rounds, groups=groups, grouping=leagues),
        Field("Meetings", "meetings", last, players, size=TEAMS, rounds=TEAMS - 2, boards=BOARDS),
    ]


def _even(number: int) -> int:
    return number - number % 2


def vacuum() -> None:
    """Let PostgreSQL know the tables well. Pages that something else holds at this moment it leaves as they are."""
    query("SET default_statistics_target = 1000")
    query("VACUUM ANALYZE")
    query("RESET default_statistics_target")


def _templates(yellow: Player, red: Player) -> tuple[Match, Match]:
    """Return a match that is over, and one that goes on, each after some moves."""
    made = []
    for _each in range(2):
        now = timezone.now()
        match = start_match(game=GAME, yellow=yellow, red=red, time_control=CONTROL, now=now, is_rated=False)
        while match.ply < 10:
            player = match.player_to_act
            text = match.state.legal_moves()[0]
            match = play_move(match_id=match.pk, player=player, ply=match.ply, text=text, now=now).match
        made.append(match)
    over = adjudicate_match(match_id=made[0].pk, winner=Side.YELLOW, now=timezone.now())
    Match.objects.filter(pk=over.pk).update(settled_at=timezone.now(), is_notified=True)
    Match.objects.filter(pk=made[1].pk).update(is_notified=True)
    return over, made[1]


def _time_columns(match: Match) -> dict[str, Any]:
    return {name: getattr(match, name) for name in ("time_bank", "time_increment", "time_cap")}


def _fill_ladder(creator: Player, last: int, entrants: int, *, name: str, slug: str, format_key: str) -> Ladder:
    """Store a ladder for so many players, with a table, a history and a log."""
    now = timezone.now()
    ladder = Ladder(name=name, slug=slug, game=GAME, status=CompetitionStatus.RUNNING, created_at=now)
    ladder.started_at, ladder.creator = now, creator
    store_competition(competition=ladder, stage=Stage(format=format_key))
    by_position = ladder.first_stage.format_spec.order is Order.POSITIONS
    entry = Entry.objects.create(competition=ladder, player=creator, draw=1, entered_at=now)
    group = ladder.first_stage.groups.get()
    seat = Seat.objects.create(entry=entry, stage=ladder.first_stage, group=group, is_on_ladder=True, has_place=True)
    standing = Standing.objects.create(seat=seat, group=group, place=entrants + 1, played=6)
    change = PlaceChange.objects.create(competition=ladder, seat=seat, place=1, changed_at=now)
    joined, imported = (
        LogEntry.objects.create(competition=ladder, action=action, logged_at=now, is_notified=True)
        for action in ("joined", "imported")
    )
    first = entry.pk
    copy(entry, entrants, id=f"{first} + nth", player_id=f"{last} + nth", draw="nth")
    store_numbers(competition_id=ladder.pk)
    seats = seat.pk
    position = {"position": "nth"} if by_position else {}
    copy(seat, entrants, id=f"{seats} + nth", entry_id=f"{first} + nth", **position)
    copy(standing, entrants, identity="seat_id", seat_id=f"{seats} + nth", place="nth")
    store_sections(group_id=group.pk)
    copy(change, 4 * entrants, seat_id=f"{seats} + 1 + nth % {entrants}", place=f"1 + nth % {entrants}")
    # Everybody can read of those who were imported, and nobody of the others, whose lines are the latest.
    copy(imported, max(MIN_LISTED, entrants // 5), logged_at="now() - nth * interval '1 minute'")
    copy(joined, entrants)
    count_on(Entry, Seat)
    return ladder


def _fill_newcomers(creator: Player, last: int, players: int) -> None:
    """Store a ladder on which nobody has a result, and so nobody a place."""
    now = timezone.now()
    ladder = Ladder(name="Newcomers", slug="newcomers", game=GAME, status=CompetitionStatus.RUNNING, created_at=now)
    ladder.started_at = now
    store_competition(competition=ladder, stage=Stage(format="points-ladder"))
    entry = Entry.objects.create(competition=ladder, player=creator, draw=1, entered_at=now)
    group = ladder.first_stage.groups.get()
    seat = Seat.objects.create(entry=entry, stage=ladder.first_stage, group=group, is_on_ladder=True)
    number, first = min(players - MIN_OTHERS, max(MIN_NEWCOMERS, players // 2)), entry.pk
    copy(entry, number, id=f"{first} + nth", player_id=f"{last + MIN_OTHERS} + nth", draw="nth")
    copy(seat, number, entry_id=f"{first} + nth")
    count_on(Entry)
    entry.delete()
    store_numbers(competition_id=ladder.pk)


def _fill_matches(last: int, players: int, over: Match, going: Match, ladder: Ladder) -> None:
    """Store the matches: those over, of which two thirds are the ladder's, and those that go on."""
    first = Match.objects.latest("pk").pk
    results, entrants = RESULTS * players, players // 2
    others = f"1 + (nth + 1 + nth / {players}) % {players}"
    own = f"1 + (nth + 1 + nth / {entrants}) % {entrants}"
    in_ladder = f"nth % 3 < 2 AND {entrants} > 2"
    one, other = f"1 + nth % {players}", others
    sides = {
        "yellow_id": f"{last} + CASE WHEN {in_ladder} THEN 1 + nth % {entrants} ELSE {one} END",
        "red_id": f"{last} + CASE WHEN {in_ladder} THEN {own} ELSE {other} END",
        "competition": f"CASE WHEN {in_ladder} THEN {ladder.pk} END",
    }
    moment = "now() - nth * interval '1 minute'"
    copy(over, results, id=f"{first} + nth", **sides, finished_at=moment, created_at=moment)
    copy(going, max(MIN_LISTED, int(RUNNING * players)), id=f"{first + results} + nth", **sides)
    _fill_fixtures(last, ladder)


def _fill_challenges(last: int, entrants: int, over: Match, going: Match, ladder: Ladder) -> None:
    """Store the matches of a challenge ladder: those over, and those that go on, each with who is next above."""
    sides = {
        "yellow_id": f"{last} + 2 + nth % ({entrants} - 1)",
        "red_id": f"{last} + 1 + nth % ({entrants} - 1)",
        "competition": str(ladder.pk),
    }
    first = Match.objects.latest("pk").pk
    moment = "now() - nth * interval '1 minute'"
    results = RESULTS * entrants
    copy(over, results, id=f"{first} + nth", **sides, finished_at=moment, created_at=moment)
    copy(going, max(MIN_LISTED, int(RUNNING * entrants)), id=f"{first + results} + nth", **sides)
    _fill_fixtures(last, ladder, is_challenge=True)


def _fill_moves(over: Match, going: Match) -> None:
    """Store the moves of all matches that are copies of these two."""
    first = going.pk
    for template, status in ((over, "finished"), (going, "playing")):
        for move in Move.objects.filter(match=template).order_by("ply"):
            copy(
                move,
                f"matches_match AS played WHERE played.status = '{status}' AND played.id > {first}",
                match_id="played.id",
            )


def _fill_fixtures(last: int, ladder: Ladder, *, is_challenge: bool = False) -> None:
    """Store what the matches of a ladder are in it: challenges of who is Yellow, if they are."""
    entry = Entry.objects.filter(competition=ladder).earliest("pk")
    fixture = Fixture.objects.create(
        competition=ladder,
        group=ladder.first_stage.groups.get(),
        yellow=entry,
        red=Entry.objects.filter(competition=ladder).latest("pk"),
        created_at=timezone.now(),
        is_notified=True,
    )
    source = f"matches_match AS played WHERE played.competition = {ladder.pk}"
    sides = {f"{side}_id": f"{entry.pk - last} + played.{side}_id" for side in ("yellow", "red")}
    challenger = {"challenger_id": sides["yellow_id"]} if is_challenge else {}
    copy(
        fixture,
        source,
        match_id="played.id",
        **sides,
        **challenger,
        **RESULT,
    )
    fixture.delete()


def _fill_cups(creator: Player, finished: int, of_player: str) -> None:
    """Store cups that are over, with their titles, and a few that are open, without entrants."""
    now = timezone.now()
    for status, count in ((CompetitionStatus.FINISHED, finished), (CompetitionStatus.OPEN, MIN_LISTED)):
        cup = Cup(name=f"Cup {status}", slug=f"cup-{status}", game=GAME, status=status, created_at=now)
        cup.finished_at = now if status == CompetitionStatus.FINISHED else None
        cup.creator = creator
        store_competition(competition=cup, stage=Stage(format="knock-out"))
        stage = cup.first_stage
        last = Cup.objects.latest("pk").pk
        copy(cup, count, id=f"{last} + nth", slug=f"'{cup.slug}-' || nth", name=f"'{cup.name} ' || nth")
        stages = Stage.objects.latest("pk").pk
        copy(stage, count, id=f"{stages} + nth", competition_id=f"{last} + nth")
        copy(stage.groups.get(), count, stage_id=f"{stages} + nth")
        if cup.finished_at is not None:
            title = Title.objects.create(
                competition=cup, player=creator, kind=TitleKind.CUP, family="streetsoccer", won_at=now
            )
            won_at = "now() - nth * interval '1 hour'"
            own = {"competition_id": f"{last} + nth", "player_id": of_player, "won_at": won_at}
            copy(title, count, identity="competition_id", **own)
        count_on(Cup, Stage)


def _fill_accounts(owner: Player, last: int, players: int) -> None:
    """Store a token, a mail that was sent, and changes of the rating for each player."""
    now = timezone.now()
    own = {"player_id": f"{last} + 1 + nth % {players}"}
    for each in ("arbiters", "editors"):
        StaffGroup.objects.create(name=each)
    token = ApiToken.objects.create(player=owner, name="phone", digest="0", created_at=now)
    copy(token, max(MIN_LISTED, players), digest="nth::text", **own)
    mail = Delivery.objects.create(
        player=owner, kind=MailKind.TURN, key="0", state=DeliveryState.SENT, created_at=now, next_attempt_at=now
    )
    copy(mail, max(MIN_LISTED, players), key="nth::text", **own)
    over = Match.objects.filter(status="finished")
    change = RatingChange.objects.create(
        player=owner,
        family="streetsoccer",
        match=over.earliest("pk"),
        finished_at=now,
        before=1500,
        after=1530,
        games=1,
        wins=1,
        rank=1,
    )
    source = f"matches_match AS played WHERE played.status = 'finished' AND played.id > {change.match_id}"
    moment = "played.finished_at"
    copy(change, source, match_id="played.id", player_id="played.yellow_id", finished_at=moment)
    analysis = MatchAnalysis.objects.create(
        match=change.match,
        engine="0",
        nodes=1,
        depth=1,
        requested_by=owner,
        requested_at=now,
        status=AnalysisStatus.DONE,
        finished_at=now,
    )
    asking = f"{last} + 1 + played.id / 5 % {players}"
    copy(analysis, f"{source} AND played.id % 5 = 0", match_id="played.id", requested_by_id=asking)


def _fill_lists(creator: Player, last: int, players: int, ladder: Ladder) -> None:
    """Store what is listed of a ladder beside its players, series with seasons, and teams with members."""
    now = timezone.now()
    number = max(MIN_LISTED, players // 20)
    others = {"player_id": f"{last} + {players} / 2 + 1 + nth % ({players} / 2)"}
    note = Note.objects.create(competition=ladder, author=creator, text="To be remembered", written_at=now)
    copy(note, number)
    invitation = EntryInvitation.objects.create(
        competition=ladder, player=creator, invited_by=creator, created_at=now, asked_at=now
    )
    waiting = WaitingPlayer.objects.create(competition=ladder, player=creator, joined_at=now)
    asked = RoleInvitation.objects.create(
        competition=ladder, player=creator, role=Role.HELPER, status=InvitationStatus.DECLINED, created_at=now
    )
    for row in (invitation, waiting, asked):
        copy(row, min(number, players // 2 - 1), **others)
    listed = max(MIN_LISTED, int(SIZES["cups"] * players))
    series = Series.objects.create(name="Series", slug="series", rhythm="monthly", anchor=now, created_at=now)
    copy(series, listed, id=f"{series.pk} + nth", name="'Series ' || nth", slug="'series-' || nth")
    count_on(Series)
    cups = (
        "(SELECT id, status, row_number() OVER (PARTITION BY status ORDER BY id) AS nth FROM tournaments_competition)"
    )
    query(
        f"UPDATE tournaments_competition AS cup SET season = CASE WHEN of.status = 'open' THEN of.nth ELSE 1 END,"  # noqa: S608 - our own words
        f" series_id = {series.pk} + CASE WHEN of.status = 'open' THEN 0 ELSE of.nth END"
        f" FROM {cups} AS of WHERE of.id = cup.id AND of.status IN ('open', 'finished') AND of.nth <= {listed}"
    )
    field = min(players, max(MIN_FIELD, int(IN_FIELD * players)))
    leagues = max(MIN_LEAGUES, int(IN_LEAGUES * players))
    seasons = max(SEASONS_PLAYED, int(SEASONS * players))
    fill_seasons(series, creator, last, players, seasons=1, groups=1, size=field)
    fill_seasons(series, creator, last, players, seasons=seasons, groups=leagues, size=LEAGUE_GROUP)
    team = Team.objects.create(
        name="Team", folded_name="team", slug="team", captain=creator, created_at=now, first_colour="red"
    )
    copy(
        team,
        number,
        id=f"{team.pk} + nth",
        name="'Team ' || lpad(nth::text, 6, '0')",
        folded_name="'team ' || lpad(nth::text, 6, '0')",
        slug="'team-' || lpad(nth::text, 6, '0')",
        captain_id=f"{last} + 1 + nth % {players}",
    )
    member = TeamMembership.objects.create(
        team=team, player=creator, status=MembershipStatus.MEMBER, invited_at=now, joined_at=now
    )
    copy(member, 3 * number, team_id=f"{team.pk} + 1 + (nth - 1) / 3", player_id=f"{last} + 1 + nth % {players}")


def viewer() -> Player:
    """Return the player who looks at the pages: one of those in the ladder."""
    return Player.objects.get(username="player-000007")


def organiser() -> Player:
    """Return the player who has made most of the competitions."""
    return Player.objects.get(username="first-0")


def entrant() -> Player:
    """Return a player who is in all cups that are played in rounds, and on the challenge ladder."""
    return Player.objects.get(username=f"player-{IN_NO_CUP + FIRST_CAPTAIN:06}")
