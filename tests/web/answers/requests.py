"""Requests that are answered with success although those of ``World`` are not, or with more than theirs."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from matches import services
from matches.models import Match, MatchAnalysis, OfferKind
from players.models import Player
from rules_engine.registry import find_engine
from rules_engine.values import Side
from tests.matches.analysed import store_analysis
from tests.matches.play import begin_match
from tests.permissions.world import NOW, SOON, World
from tests.tournaments import verbs
from tests.tournaments.pages.parts import begin_groups, make_stages
from tests.tournaments.rounds.test_levels import LEVELS
from tests.tournaments.teams.leagues import enter, make_league, make_teams, start_league
from tests.tournaments.verbs import ROUND_ROBIN, enter_all, entry_of, make_cup, make_ladder, running, start
from tournaments.decisions.services.disputes import dismiss_disputes, dispute_result
from tournaments.decisions.services.fixture_decisions import extend_clock_to_move, pause_fixture
from tournaments.decisions.services.pairings import publish_round
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.undo.disqualifications import disqualify_entry
from tournaments.decisions.services.undo.outages import forgive_outage
from tournaments.desk.acts import ACTS
from tournaments.entries.services.byes import request_bye
from tournaments.entries.services.waiting_list import remove_from_waiting_list
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Disqualification,
    Entry,
    EntryInvitation,
    Fixture,
    Forecast,
    Ladder,
    LogEntry,
    ProposedRound,
    Round,
    RoundEnd,
    Team,
    WaitingPlayer,
)
from tournaments.office.services.log_texts import take_down
from tournaments.tables.services.winners import store_title
from tournaments.teams.services.members import accept_team_invitation, invite_to_team

WHY = {"reason": "It has to be."}
OUTAGE = {"from": (NOW - timedelta(days=2)).isoformat(), "until": NOW.isoformat()}
PASSWORD = "a goal in the last minute"


@dataclass(frozen=True)
class Request:
    """A request to an operation: who asks, the status and what is sent.

    ``given`` makes what has to be so before, and returns what the path leads to; a body may depend on that.
    """

    player: str = ""
    status: int = 200
    body: dict[str, Any] | Callable[[Any], dict[str, Any]] = field(default_factory=dict)
    given: Callable[[World], Any] = lambda world: world.cup
    query: dict[str, str] = field(default_factory=dict)
    path: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


def path_to(subject: Any) -> dict[str, Any]:
    """Return the parameters of a path that leads to this."""
    if isinstance(subject, dict):
        return subject
    if isinstance(subject, Match):
        return {"match_id": subject.pk}
    if isinstance(subject, Competition | Team):
        return {"slug": subject.slug}
    if isinstance(subject, Round | ProposedRound):
        return {"slug": subject.group.competition.slug, "number": subject.number}
    name = {Entry: "entry_id", Fixture: "fixture_id", LogEntry: "line_id", WaitingPlayer: "waiting_id"}[type(subject)]
    return {"slug": subject.competition.slug, name: subject.pk}


def player(username: str) -> Player:
    return Player.objects.get(username=username)


# --- what has to be so before


def move(match: Match) -> dict[str, Any]:
    """Return the body of a move."""
    return {"ply": match.ply, "text": match.state.legal_moves()[0]}


def turn(match: Match) -> dict[str, Any]:
    """Return the body of a turn whose first action is the only one."""
    return {"ply": match.ply, "texts": [match.state.legal_moves()[0]]}


def of_match(world: World) -> Match:
    return world.match


def moved(world: World) -> Match:
    """Let anna play the first move; the match is returned as it was before."""
    services.play_move(match_id=world.match.pk, player=player("anna"), now=NOW, **move(world.match))
    return world.match


def draw_offered(world: World) -> Match:
    """Let anna offer a draw."""
    return services.make_offer(match_id=world.match.pk, player=player("anna"), kind=OfferKind.DRAW, now=NOW)


def asked_to_take_back(world: World) -> Match:
    """Let anna play the first move, and ask to take it back."""
    match = moved(world)
    return services.make_offer(match_id=match.pk, player=player("anna"), kind=OfferKind.TAKE_BACK, now=NOW)


def judged(world: World) -> Match:
    """Let anna's first move be judged, and the rolls after it."""
    MatchAnalysis.objects.filter(match=moved(world)).delete()
    store_analysis(world.match, moves=2)
    return world.match


def resigned(world: World) -> Match:
    """Let anna resign the match, which nobody has wanted to be analysed."""
    services.resign(match_id=world.match.pk, player=player("anna"), now=NOW)
    MatchAnalysis.objects.filter(match=world.match).delete()
    return world.match


def analysed(world: World) -> Match:
    """Return the match resigned, and analysed as far as its engine goes."""
    budget = find_engine(resigned(world).rules).budget
    store_analysis(world.match)
    MatchAnalysis.objects.filter(match=world.match).update(nodes=budget.nodes, depth=budget.depth)
    return world.match


def match_with_texts(_world: World) -> Match:
    """Return a match of a game whose players exchange texts."""
    return begin_match(player("anna"), player("piotr"), game="paper-soccer-1", now=NOW)


def unconfirmed(world: World) -> Cup:
    Player.objects.filter(username="anna").update(email="anna@example.org")
    return world.cup


def with_password(world: World) -> Cup:
    anna = player("anna")
    anna.set_password(PASSWORD)
    anna.save()
    return world.cup


def of_ladder(world: World) -> Ladder:
    return world.ladder


def running_ladder(world: World) -> Ladder:
    """Return the ladder after its start."""
    start(world.ladder, NOW)
    return world.ladder


def waiting(world: World) -> WaitingPlayer:
    """Return who waits for a place on the ladder."""
    return world.ladder.waiting_players.get()


def removed(world: World) -> WaitingPlayer:
    """Return whom olga has removed from the waiting list of the ladder."""
    return remove_from_waiting_list(waiting_id=waiting(world).pk, actor=player("olga"), reason="No.", now=NOW)


def challenge_ladder(_world: World) -> Ladder:
    """Return a running challenge ladder with piotr above carla."""
    ladder = make_ladder(slug="steps", name="Steps", format="challenge-ladder")
    enter_all(ladder, [player("anna"), player("piotr"), player("carla")])
    start(ladder, NOW)
    return ladder


def open_cup(_world: World, **options: Any) -> Cup:
    """Return a cup of olga's that anna and piotr have entered."""
    cup = make_cup(**{"slug": "next", "name": "Next", "legs": 1, "organiser": player("olga")} | options)
    enter_all(cup, [player("anna"), player("piotr")])
    return cup


def with_unanswered(world: World) -> Cup:
    """Return a cup to which carla was invited two days ago."""
    cup = open_cup(world)
    asked = NOW - timedelta(days=2)
    EntryInvitation.objects.create(
        competition=cup, player=player("carla"), invited_by=player("olga"), created_at=asked, asked_at=asked
    )
    return cup


def draft(_world: World) -> Cup:
    return make_cup(slug="draft", name="Draft", status=CompetitionStatus.DRAFT, organiser=player("olga"))


checking_in = partial(open_cup, check_in_opened_at=NOW)
"""A cup in which players check in."""


def to_check_in(world: World) -> Entry:
    """Return the entry of a player who can check in."""
    return entry_of(checking_in(world), "anna")


def waiting_to_check_in(world: World) -> WaitingPlayer:
    """Return who is on the waiting list of a cup in which players check in."""
    return checking_in(world).waiting_players.create(player=player("carla"), joined_at=NOW)


def round_robin(world: World) -> Cup:
    """Return a round robin of three that olga has started."""
    cup = open_cup(world, **ROUND_ROBIN)
    enter_all(cup, [player("carla")])
    start(cup, NOW)
    return cup


def fixture(world: World) -> Fixture:
    return running(round_robin(world))[0]


def ended(world: World) -> Fixture:
    """Return a match of the round robin that counts."""
    of_cup = fixture(world)
    verbs.end(of_cup, Side.YELLOW, NOW)
    return of_cup


def corrected(world: World) -> Fixture:
    """Return a match of the round robin whose result olga has corrected."""
    return verbs.correct(ended(world), Side.RED, player("olga"), NOW)


def disputable(world: World) -> Fixture:
    """Return the match of piotr and carla, which has ended."""
    of_cup = world.cup.fixtures.get()
    verbs.end(of_cup, Side.YELLOW, NOW)
    return of_cup


def disputed(world: World) -> Fixture:
    """Return the match of piotr and carla, whose result piotr disputes."""
    of_cup = disputable(world)
    dispute_result(fixture_id=of_cup.pk, player=player("piotr"), text="Not my dice.", now=NOW)
    return of_cup


def dismissed(world: World) -> Fixture:
    """Return the match of piotr and carla, whose dispute olga has dismissed."""
    return dismiss_disputes(fixture_id=disputed(world).pk, actor=player("olga"), reason="They are.", now=NOW)


def decided(world: World) -> Fixture:
    """Return a match of the round robin that olga has adjudicated."""
    return verbs.adjudicate(fixture(world), None, player("olga"), NOW)


def annulled(world: World) -> Fixture:
    """Return a match of the round robin that olga has annulled."""
    return verbs.annul(fixture(world), player("olga"), NOW)


def replayed(world: World) -> Fixture:
    """Return a match of the round robin that olga lets be played again."""
    return verbs.replay(fixture(world), player("olga"), NOW)


def withdrawn(world: World) -> Entry:
    """Return the entry that olga has withdrawn from the round robin."""
    entry = entry_of(round_robin(world), "carla")
    verbs.withdraw(entry, player("olga"), NOW)
    return entry


def latecomer(world: World) -> Entry:
    """Return the entry of a player whom olga has added to the round robin after its start."""
    cup = round_robin(world)
    return verbs.admit(cup, player("hanna"), player("olga"), NOW + timedelta(seconds=1))


def disqualified(world: World) -> Entry:
    """Return the entry that olga has disqualified from the round robin."""
    entry = entry_of(round_robin(world), "carla")
    rule = Disqualification.STAND
    disqualify_entry(entry_id=entry.pk, rule=rule, confirm=True, actor=player("olga"), reason="Cheating.", now=NOW)
    return entry


def lost_on_time(world: World) -> Cup:
    """Return a round robin of three whose matches were lost on time yesterday."""
    cup = open_cup(world, **ROUND_ROBIN, vacation_limit=0)
    enter_all(cup, [player("carla")])
    start(cup, NOW - timedelta(days=11))
    return cup


def forgiven(world: World) -> Cup:
    """Return a round robin whose matches olga lets go on after an outage."""
    cup = lost_on_time(world)
    span: dict[str, Any] = {"begins_at": NOW - timedelta(days=2), "ends_at": NOW}
    forgive_outage(competition_id=cup.pk, **span, confirm=True, actor=player("olga"), reason="Down.", now=NOW)
    return cup


def replaced(world: World) -> Entry:
    """Return the entry in whose place olga has put another player of the round robin."""
    entry = entry_of(round_robin(world), "carla")
    verbs.replace(entry, player("olga"), player("olga"), NOW)
    return entry


def cancelled(world: World) -> Competition:
    """Return the round robin after olga has cancelled it."""
    return verbs.cancel(round_robin(world), player("olga"), NOW)


def ended_round(world: World) -> Round:
    """Return the round of the round robin that olga has ended."""
    found = fixture(world).round
    assert found is not None
    end_round(round=found, policy=RoundEnd.ADJUDICATE, actor=player("olga"), reason="Rain.", now=NOW)
    return Round.objects.select_related("group__stage__competition").get(pk=found.pk)


def clock_with_room(world: World) -> Fixture:
    """Return a match whose clocks hold less than their cap."""
    cup = open_cup(world, time_bank=3600, time_increment=60, time_cap=7200)
    start(cup, NOW)
    return running(cup)[0]


def extended(world: World) -> Fixture:
    """Return a match in which the player to move was given time."""
    fixture = clock_with_room(world)
    extend_clock_to_move(fixture_id=fixture.pk, by=timedelta(minutes=10), actor=player("olga"), reason="Ill.", now=NOW)
    return fixture


def taken_down(world: World) -> LogEntry:
    """Return the announcement that olga has taken down."""
    return take_down(line=world.announcement, actor=player("olga"), now=NOW)


def running_fixture(world: World) -> Fixture:
    return running(world.cup)[0]


def paused_fixture(world: World) -> Fixture:
    """Return the match of the cup, paused by itself."""
    of_cup = running_fixture(world)
    pause_fixture(fixture_id=of_cup.pk, actor=player("olga"), reason="Ill.", now=NOW)
    return of_cup


def paused(world: World) -> Competition:
    """Return the cup, whose clocks have been stopped."""
    return verbs.pause(world.cup, player("olga"), NOW)


def some_that_are_there(cup: Cup) -> dict[str, Any]:
    """Return the body of an act on the cup's match, and on one that there is not."""
    return WHY | {"fixtures": [running(cup)[0].pk, 999_999]}


def groups(_world: World) -> Cup:
    """Return a cup of which the groups are played."""
    cup = make_stages(8, slug="groups", grouping={"groups": 2, "size": None})
    begin_groups(cup)
    return cup


def forecast(world: World) -> Cup:
    only = world.cup.fixtures.get()
    ends = {f"{what}_{end}": NOW for what in ("stage", "round") for end in ("early", "likely", "late")}
    holds_up = [[only.match_id, only.red_id]]
    Forecast.objects.create(competition=world.cup, made_at=NOW, due_at=NOW, round_number=1, holds_up=holds_up, **ends)
    return world.cup


def won(world: World) -> Cup:
    winner = entry_of(world.cup, "piotr")
    finished = {"status": CompetitionStatus.FINISHED, "finished_at": NOW, "winner": winner}
    Competition.objects.filter(pk=world.cup.pk).update(**finished)
    store_title(competition=Competition.objects.get(pk=world.cup.pk))
    return world.cup


def swiss(_world: World, **options: Any) -> Cup:
    """Return a running Swiss of two rounds and three players, which olga organises."""
    cup = make_cup(slug="swiss", name="Swiss", format="swiss", rounds=2, organiser=player("olga"), **options)
    enter_all(cup, [player("piotr"), player("carla"), player("anna")])
    start(cup, NOW)
    return cup


def queued(world: World) -> Entry:
    """Return the entry of who has joined a mini cup after its first group has formed."""
    cup = open_cup(world, **LEVELS)
    enter_all(cup, [player("carla")])
    start(cup, NOW)
    return enter_all(cup, [player("olga")], NOW)[0]


def with_byes(world: World) -> Entry:
    return entry_of(swiss(world, byes_on_request=True), "piotr")


def bye_wanted(world: World) -> Entry:
    """Return piotr's entry after they have asked to sit out the second round."""
    entry = with_byes(world)
    return request_bye(entry_id=entry.pk, round_number=2, actor=entry.player, now=NOW)


def proposed(world: World) -> ProposedRound:
    """Return the first round of a Swiss whose organisers publish rounds."""
    swiss(world, organisers_publish=True)
    return ProposedRound.objects.select_related("group__stage__competition").get()


def published(world: World) -> Round:
    """Return the same round, published."""
    return publish_round(proposed=proposed(world), actor=None, now=NOW)


def league(_world: World) -> Cup:
    """Return a league of teams of olga's, which is open."""
    return make_league(boards=2, organiser=player("olga"))


def team_in_league(world: World) -> Entry:
    """Return the entry of anna's team to the league."""
    return enter(league(world), foxes(world))


def running_league(_world: World) -> Cup:
    return start_league(make_teams(2, 2), boards=2, now=NOW)[0]


def foxes(_world: World) -> Team:
    return Team.objects.get(slug="foxes")


def invited(world: World) -> Team:
    """Return anna's team, which has invited carla."""
    team = foxes(world)
    invite_to_team(team_id=team.pk, player=player("carla"), actor=player("anna"), now=NOW)
    return team


def joined(world: World) -> Team:
    """Return anna's team, whose member carla is."""
    team = invited(world)
    accept_team_invitation(team_id=team.pk, player=player("carla"), now=NOW)
    return team


# --- the requests


MINIMAL = {"Prefer": "return=minimal"}
CARLA = {"username": "carla"}
GROUP = {"stage": "1", "group": "1"}
BYE, LINE_UP = {"round": 2}, {"round": 1, "players": ["anna"]}
TEAM = {"team": "foxes", "players": ["anna"]}
by_olga = partial(Request, "olga", 200)
with_reason = partial(by_olga, WHY)

REQUESTS: dict[str, list[Request]] = {
    # matches and seeks
    "list_matches": [
        Request("anna", query={"player": "anna", "limit": "1"}),
        Request("anna", query={"turn": "me", "order": "deadline"}),
    ],
    "get_match": [Request("piotr"), Request("anna", given=resigned)],
    "get_steps": [Request("anna", query={"all": "1"})],
    "get_record": [Request(query={"format": "json"}), Request(query={"format": "txt"})],
    "get_dice_proof": [Request("anna", given=resigned)],
    "get_match_text": [Request(given=match_with_texts)],
    "get_analysis": [Request(given=judged)],
    "request_analysis": [Request("anna", 202, given=resigned), Request("anna", given=analysed)],
    "abort_match": [Request("anna", given=of_match)],
    "make_offer": [
        Request("anna", body={"kind": "draw"}, given=of_match),
        Request("piotr", body={"kind": "draw"}, given=draw_offered),
    ],
    "set_conditional_answers": [
        Request("piotr", body={"ply": 0, "decisions": [{"kind": "set-up", "texts": ["@e10"]}]}, given=of_match)
    ],
    "play_by_hand": [Request("piotr", body={"by_hand": True}, given=of_match)],
    "accept_offer": [
        Request("piotr", body={"kind": "draw"}, given=draw_offered),
        Request("piotr", body={"kind": "take-back"}, given=asked_to_take_back),
    ],
    "decline_offer": [Request("piotr", given=draw_offered)],
    "offer_rematch": [Request("anna", 201, given=resigned)],
    "play_move": [
        Request("anna", 201, move, of_match, headers=MINIMAL),
        Request("anna", 201, turn, of_match),
        Request("anna", 201, turn, of_match, headers=MINIMAL),
        Request("anna", 200, move, moved),
    ],
    "list_seeks": [Request("piotr")],
    "open_seek": [Request("anna", 201, {"game": "paper-soccer", "invited": "carla", "time_control": {"bank": 60}})],
    "get_linked_seek": [Request("piotr", given=lambda world: {"token": world.linked})],
    "take_linked_seek": [Request("piotr", 201, given=lambda world: {"token": world.linked})],
    # players
    "sign_up": [Request(status=201, body={"username": "dora", "password": PASSWORD, "email": "dora@example.org"})],
    "get_player": [Request(path={"username": "computer-club"})],
    "find_usernames": [Request("anna", query={"beginning": "PI"})],
    "request_confirmation": [Request("anna", 202, given=unconfirmed)],
    "change_password": [Request("anna", 204, {"old": PASSWORD, "new": f"{PASSWORD} again"}, with_password)],
    "create_token": [Request("anna", 201, {"name": "bot", "scopes": ["read"], "expires_at": f"{SOON}T00:00:00Z"})],
    "list_player_competitions": [Request(path={"username": "piotr"})],
    "list_player_seasons": [Request(path={"username": "piotr"})],
    # competitions, as everybody sees them
    "list_competitions": [Request(query={"kind": "cup", "limit": "1"})],
    "get_competition": [
        *(Request("piotr", given=given) for given in (of_ladder, bye_wanted)),
        *(Request(given=given) for given in (groups, forecast)),
    ],
    "list_standings": [Request(given=of_ladder), Request(query=GROUP)],
    "list_rounds": [Request(query=GROUP)],
    "list_fixtures": [Request(query=GROUP)],
    "list_line_ups": [Request(given=running_league)],
    "list_meetings": [Request(given=running_league)],
    "list_titles": [Request(given=won, query={"kind": "cup", "player": "piotr", "limit": "1"})],
    "list_seasons_of_player": [Request(path={"slug": "again", "username": "piotr"})],
    "export_competition": [Request(path={"what": what, "form": "json"}) for what in ("results", "standings")],
    # competitions, as players act in them
    "enter_competition": [Request("anna", 201, given=of_ladder)],
    "leave_competition": [Request("piotr", 204, given=of_ladder)],
    "join_waiting_list": [Request("anna", 201, given=of_ladder)],
    "leave_waiting_list": [Request("anna", 204, given=of_ladder)],
    "accept_invitation": [Request("ines", 201, given=of_ladder)],
    "list_received_invitations": [Request("ines")],
    "list_role_invitations": [Request("ines")],
    "check_in": [Request("anna", given=checking_in)],
    "request_bye": [Request("piotr", 200, BYE, with_byes)],
    "take_back_bye": [Request("piotr", given=bye_wanted)],
    "list_challenges": [Request("carla", given=challenge_ladder)],
    "dispute_result": [Request("piotr", 201, {"text": "Not my dice."}, disputable)],
    "challenge_player": [Request("carla", 201, {"opponent": "piotr"}, challenge_ladder)],
    "enter_team": [Request("anna", 201, TEAM, league)],
    "set_line_up": [Request("anna", 200, LINE_UP, team_in_league)],
    # teams
    "invite_to_team": [Request("anna", 201, {"player": "piotr"}, foxes)],
    "withdraw_team_invitation": [Request("anna", 204, given=invited, path=CARLA)],
    "accept_team_invitation": [Request("carla", given=invited)],
    "decline_team_invitation": [Request("carla", 204, given=invited)],
    "list_received_team_invitations": [Request("carla", given=invited)],
    "leave_team": [Request("carla", 204, given=joined)],
    "remove_team_member": [Request("anna", 204, given=joined, path=CARLA)],
    # what organisers do
    "list_organised_competitions": [Request("olga"), Request("hanna")],
    "list_competitions_organised_before": [Request("olga")],
    "create_series": [Request("olga", 201, {"competition": "cup", "rhythm": "dates", "days": ["05-01"]})],
    "edit_competition": [by_olga({"name": "Renamed"}, draft)],
    "delete_draft": [Request("olga", 204, given=draft)],
    "open_competition": [by_olga(given=draft)],
    "close_competition": [by_olga(given=open_cup)],
    "start_competition": [by_olga(given=of_ladder)],
    "preview_start_competition": [by_olga(given=checking_in)],
    "draw_cup": [by_olga(given=open_cup)],
    "get_draw": [by_olga(given=open_cup)],
    "copy_competition": [Request("olga", 201, {"name": "The same", "with_entrants": True})],
    "admit_player": [by_olga(WHY | {"player": "carla"}, open_cup)],
    "admit_team": [by_olga(WHY | TEAM, league)],
    "ask_invited_again": [by_olga(given=with_unanswered)],
    "import_entries": [by_olga(WHY | {"text": "carla"}, open_cup)],
    "enter_from_waiting_list": [with_reason(waiting)],
    "remove_from_waiting_list": [with_reason(waiting)],
    "set_line_up_of_team": [by_olga(WHY | LINE_UP, team_in_league)],
    "put_up_log_text": [by_olga(given=taken_down)],
    "open_check_in": [by_olga(given=open_cup)],
    "call_off_check_in": [with_reason(checking_in)],
    "check_in_entry": [by_olga(given=to_check_in)],
    "take_back_check_in": [by_olga(given=to_check_in)],
    "check_in_entries": [
        by_olga(lambda cup: {"entries": list(cup.entries.values_list("pk", flat=True))}, given=checking_in)
    ],
    "check_in_waiting_player": [by_olga(given=waiting_to_check_in)],
    "take_back_check_in_of_waiting_player": [by_olga(given=waiting_to_check_in)],
    "take_back_removal": [by_olga(given=removed)],
    "request_bye_for_entry": [by_olga(BYE, with_byes)],
    "take_back_bye_of_entry": [by_olga(given=bye_wanted)],
    "move_in_queue": [by_olga(WHY | {"place": 1}, queued)],
    "preview_move_in_queue": [replace(by_olga(given=queued), query={"place": "1"})],
    "resume_competition": [by_olga(given=paused)],
    "finish_competition": [with_reason(running_ladder)],
    "pause_fixture": [with_reason(running_fixture)],
    "resume_fixture": [with_reason(paused_fixture)],
    "extend_clock": [by_olga(WHY | {"side": "yellow", "seconds": 60}, clock_with_room)],
    "take_back_extension": [with_reason(extended)],
    "extend_clocks": [by_olga(lambda cup: some_that_are_there(cup) | {"seconds": 60})],
    "adjudicate_fixtures": [by_olga(lambda cup: some_that_are_there(cup) | {"policy": "adjudicate"})],
    "annul_fixtures": [by_olga(lambda cup: some_that_are_there(cup) | {"confirm": True})],
    "pause_fixtures": [by_olga(some_that_are_there)],
    "resume_fixtures": [by_olga(some_that_are_there)],
    "annul_fixture": [with_reason(ended)],
    "correct_result": [by_olga(WHY | {"winner": "red"}, ended)],
    "preview_correct_result": [replace(by_olga(given=ended), query={"winner": "red"})],
    "take_back_correction": [with_reason(corrected)],
    "dismiss_disputes": [with_reason(disputed)],
    "take_back_dismissal": [with_reason(dismissed)],
    "list_disputes": [by_olga(given=lambda world: disputed(world).competition)],
    "replay_fixture": [with_reason(fixture)],
    "list_proposed_rounds": [by_olga(given=proposed)],
    "publish_round": [by_olga(given=proposed)],
    "draw_round_again": [by_olga(given=proposed)],
    "swap_players": [by_olga({"first": "piotr", "second": "anna"}, proposed)],
    "forgive_outage": [by_olga(WHY | OUTAGE, lost_on_time)],
    "preview_forgive_outage": [replace(by_olga(given=lost_on_time), query=OUTAGE)],
    "take_back_outage": [with_reason(forgiven)],
    "take_back_start": [with_reason(round_robin)],
    "take_back_entry": [with_reason(latecomer)],
    "take_back_withdrawal": [with_reason(withdrawn)],
    "take_back_disqualification": [with_reason(disqualified)],
    "take_back_replacement": [with_reason(replaced)],
    "take_back_decision": [with_reason(decided)],
    "take_back_annulment": [with_reason(annulled)],
    "take_back_replay": [with_reason(replayed)],
    "take_back_end": [with_reason(cancelled)],
    "take_back_round_end": [with_reason(ended_round)],
    "take_back_publication": [with_reason(published)],
}
"""By operation."""

for _act in [act.operation for act in ACTS if act.is_foreseen and act.operation in REQUESTS]:
    if f"preview_{_act}" not in REQUESTS:
        REQUESTS[f"preview_{_act}"] = [replace(REQUESTS[_act][0], body={})]
"""What an act would bring about is asked where it can be done."""
