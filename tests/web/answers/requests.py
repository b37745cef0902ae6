"""A request to every operation of the API that it answers with success, and what has to be so before."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from matches import services
from matches.clock import CORRESPONDENCE
from matches.models import MatchAnalysis
from matches.services import start_match
from players.models import Player
from rules_engine.registry import find_engine, get_game
from rules_engine.values import Side
from tests.matches.analysed import store_analysis
from tests.permissions.world import NOW, SOON, World
from tests.tournaments.pages.parts import begin_groups, make_stages
from tests.tournaments.teams.leagues import enter, make_league, make_teams, start_league
from tests.tournaments.verbs import ROUND_ROBIN, end, enter_all, make_cup, make_ladder, running, start
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture, pause_fixture
from tournaments.decisions.services.pairings import publish_round
from tournaments.decisions.services.pauses import pause_competition
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import cancel_competition
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.entries.services.byes import request_bye
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    Forecast,
    ProposedRound,
    Round,
    RoundEnd,
    Stage,
    Team,
)
from tournaments.rounds.services.seating import store_competition
from tournaments.tables.services.winners import store_title
from tournaments.teams.services.members import accept_team_invitation, invite_to_team

WHY = {"reason": "It has to be."}
PASSWORD = "a goal in the last minute"
STREAMS = {"follow_match", "follow_player"}
"""These answer with streams, which tests/streams/test_schemas.py judges."""


@dataclass(frozen=True)
class Request:
    """A request to an operation: who asks, what, and with which status it is answered."""

    player: str = ""
    status: int = 200
    body: dict[str, Any] | None = None
    query: dict[str, str] = field(default_factory=dict)
    path: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


Prepare = Callable[[World], Request]
REQUESTS: dict[str, list[Prepare]] = defaultdict(list)


def to(operation: str) -> Callable[[Prepare], Prepare]:
    """Note a function that prepares a request to an operation."""

    def note(prepare: Prepare) -> Prepare:
        REQUESTS[operation].append(prepare)
        return prepare

    return note


PLAIN: dict[str, list[Request]] = {
    "list_games": [Request()],
    "list_matches": [Request(), Request("anna", query={"player": "anna", "limit": "1"})],
    "play_against_computer": [
        Request("carla", 201, {"opponent": "computer", "game": "streetsoccer-board", "colour": "yellow"})
    ],
    "get_match": [Request(), Request("anna"), Request("piotr")],
    "get_steps": [Request("anna"), Request("anna", query={"all": "1"})],
    "get_position": [Request(path={"ply": 0})],
    "get_record": [Request(query={"format": "json"}), Request(query={"format": "txt"})],
    "get_dice_proof": [Request()],
    "get_analysis": [Request()],
    "resign_match": [Request("anna")],
    "replay_text": [Request(body={"game": "paper-soccer", "text": "1. 0 0"})],
    "list_seeks": [Request(), Request("piotr")],
    "open_seek": [
        Request("anna", 201, {"game": "streetsoccer-online"}),
        Request("anna", 201, {"game": "paper-soccer", "invited": "carla", "time_control": {"bank": 60}}),
    ],
    "get_seek": [Request("anna")],
    "take_seek": [Request("piotr", 201)],
    "withdraw_seek": [Request("anna")],
    "decline_seek": [Request("piotr")],
    "sign_up": [Request(status=201, body={"username": "dora", "password": PASSWORD, "email": "dora@example.org"})],
    "create_guest": [Request(status=201)],
    "get_player": [Request(path={"username": "anna"}), Request(path={"username": "computer-club"})],
    "find_usernames": [Request("anna", query={"beginning": "PI"})],
    "get_me": [Request("anna")],
    "delete_account": [Request("anna", 204)],
    "change_email": [Request("anna", body={"email": "anna@example.org"})],
    "get_mail_settings": [Request("anna")],
    "change_mail_settings": [Request("anna", body={"turns": False, "reminder_hours": [24]})],
    "request_password_reset": [Request(status=202, body={"email": "anna@example.org"})],
    "list_tokens": [Request("anna")],
    "create_token": [Request("anna", 201, {"name": "bot", "scopes": ["read"], "expires_at": f"{SOON}T00:00:00Z"})],
    "revoke_token": [Request("anna", 204)],
    "get_vacation": [Request("anna")],
    "plan_vacation": [Request("anna", body={"first": f"{SOON}", "last": f"{SOON}"})],
    "cancel_vacation_day": [Request("anna", 204)],
    "list_competitions": [Request(), Request(query={"kind": "cup", "limit": "1"})],
    "get_competition": [Request(), Request("anna"), Request("piotr"), Request(path={"slug": "ladder"})],
    "list_standings": [
        Request(),
        Request(path={"slug": "ladder"}),
        Request(path={"slug": "cup"}, query={"stage": "1", "group": "1"}),
    ],
    "list_place_changes": [Request()],
    "get_bracket": [Request()],
    "list_rounds": [Request(), Request(query={"stage": "1", "group": "1"})],
    "list_fixtures": [Request(), Request(query={"stage": "1", "group": "1"})],
    "list_log_entries": [Request()],
    "enter_competition": [Request("anna", 201, {}, path={"slug": "ladder"})],
    "leave_competition": [Request("carla"), Request("piotr", 204, path={"slug": "ladder"})],
    "list_series": [Request()],
    "create_series": [Request("olga", 201, {"competition": "cup", "rhythm": "dates", "days": ["05-01"]})],
    "get_series": [Request(path={"slug": "again"})],
    "edit_series": [Request("olga", body={"announce_days": 3}, path={"slug": "again"})],
    "end_series": [Request("olga", path={"slug": "again"})],
    "list_seasons": [Request(path={"slug": "again"})],
    "list_seasons_of_player": [Request(path={"slug": "again", "username": "piotr"})],
    "list_player_seasons": [Request(path={"username": "piotr"})],
    "list_ratings": [Request()],
    "list_player_ratings": [Request(path={"username": "anna"})],
    "list_rating_changes": [Request(path={"username": "anna"})],
    "list_player_competitions": [Request(path={"username": "piotr"})],
    "start_competition": [Request("olga", path={"slug": "ladder"})],
    "pause_competition": [Request("olga", body=WHY)],
    "cancel_competition": [Request("olga", body=WHY)],
    "copy_competition": [Request("olga", 201, {"name": "The same", "with_entrants": True})],
    "announce": [Request("olga", body={"text": "Have fun!"})],
    "pin_announcement": [Request("olga")],
    "unpin_announcement": [Request("olga")],
    "list_notes": [Request("olga")],
    "write_note": [Request("olga", 201, {"text": "Ask carla."})],
    "delete_note": [Request("olga", 204)],
    "get_draw": [Request("olga")],
    "list_organisers": [Request()],
    "list_invitations": [Request("olga")],
    "list_organised_competitions": [Request("olga"), Request("hanna"), Request("anna")],
    "list_competitions_organised_before": [Request("olga")],
    "list_waiting_players": [Request("olga")],
    "join_waiting_list": [Request("anna", 201, {}, path={"slug": "ladder"})],
    "leave_waiting_list": [Request("anna", 204, path={"slug": "ladder"})],
    "list_received_invitations": [Request("ines"), Request("anna")],
    "list_teams": [Request(), Request(query={"limit": "1"})],
    "found_team": [Request("piotr", 201, {"name": "Owls", "pattern": "sash", "first_colour": "blue"})],
    "get_team": [Request(path={"slug": "foxes"}), Request("anna", path={"slug": "foxes"})],
    "change_team": [Request("anna", body={"name": "Grey Foxes"}, path={"slug": "foxes"})],
    "close_team": [Request("anna", path={"slug": "foxes"})],
    "hand_over_team": [Request("anna", body={"player": "anna"}, path={"slug": "foxes"})],
    "invite_to_team": [Request("anna", 201, {"player": "piotr"}, path={"slug": "foxes"})],
    "accept_invitation": [Request("ines", 201, path={"slug": "ladder"})],
    "decline_invitation": [Request("ines", 204)],
    "withdraw_invitation": [Request("olga", body={})],
    "change_me": [Request("anna", body={"may_be_entered": True})],
    "name_organiser": [Request("olga", body={"role": "helper"}, path={"username": "anna"})],
    "dismiss_organiser": [Request("olga", 204, path={"username": "hanna"})],
    "export_competition": [
        Request(path={"what": "entries", "form": "csv"}),
        Request(path={"what": "results", "form": "json"}),
        Request(path={"what": "standings", "form": "json"}),
    ],
    "withdraw_entry": [Request("olga", body=WHY)],
    "preview_replace_entry": [Request("olga")],
    "preview_withdraw_entry": [Request("olga")],
    "replace_entry": [Request("olga", body=WHY | {"player": "anna"})],
    "adjudicate_fixture": [Request("olga", body=WHY | {"winner": "yellow"})],
    "replay_fixture": [Request("olga", body=WHY)],
    "end_round": [Request("olga", body=WHY | {"policy": "forfeit"})],
    "set_round_date": [Request("olga", body={"ends_at": None})],
}
for _operation, _requests in PLAIN.items():
    REQUESTS[_operation] += [lambda _world, request=request: request for request in _requests]  # type: ignore[misc]


@to("get_match")
@to("get_dice_proof")
def of_a_finished_match(world: World) -> Request:
    """Return a match that has been resigned."""
    resign(world)
    return Request("anna")


@to("play_move")
def a_move(world: World) -> Request:
    """Return a move with the match after it."""
    return Request("anna", 201, {"ply": world.match.ply, "text": world.move})


@to("play_move")
def a_move_for_a_short_answer(world: World) -> Request:
    """Return a move with what a list shows of the match."""
    return Request("anna", 201, {"ply": world.match.ply, "text": world.move}, headers={"Prefer": "return=minimal"})


@to("play_move")
def a_turn(world: World) -> Request:
    """Several actions, of which the first is the only one."""
    return Request("anna", 201, {"ply": world.match.ply, "texts": [world.move]})


@to("play_move")
def a_turn_for_a_short_answer(world: World) -> Request:
    """Return the same with what a list shows of the match."""
    return Request("anna", 201, {"ply": world.match.ply, "texts": [world.move]}, headers={"Prefer": "return=minimal"})


@to("play_move")
def a_move_sent_again(world: World) -> Request:
    """Return a move that is stored already."""
    ply, text = world.match.ply, world.move
    services.play_move(match_id=world.match.pk, player=player("anna"), ply=ply, text=text, now=NOW)
    return Request("anna", body={"ply": ply, "text": text})


@to("get_route")
def a_legal_move(world: World) -> Request:
    """Return a legal move of the side to act."""
    return Request("anna", query={"text": world.move})


@to("get_match_text")
def a_match_of_a_game_with_texts(world: World) -> Request:
    """Return a match of a game whose players exchange texts."""
    game = get_game("paper-soccer-1")
    match = start_match(game=game.key, yellow=player("anna"), red=player("piotr"), time_control=CORRESPONDENCE, now=NOW)
    return Request(path={"match_id": match.pk, "key": game.interchange[0].key})


@to("get_analysis")
def an_analysis_of_a_move(world: World) -> Request:
    """Return an analysis that has judged something."""
    services.play_move(match_id=world.match.pk, player=player("anna"), ply=world.match.ply, text=world.move, now=NOW)
    MatchAnalysis.objects.filter(match=world.match).delete()
    store_analysis(world.match, moves=2)
    return Request()


@to("request_analysis")
def an_analysis_that_is_made(world: World) -> Request:
    """Return an analysis that nobody has wanted before."""
    resign(world)
    MatchAnalysis.objects.filter(match=world.match).delete()
    return Request("anna", 202)


@to("request_analysis")
def an_analysis_that_is_there(world: World) -> Request:
    """Return an analysis that is done."""
    resign(world)
    MatchAnalysis.objects.filter(match=world.match).delete()
    budget = find_engine(world.match.rules).budget
    store_analysis(world.match)
    MatchAnalysis.objects.filter(match=world.match).update(nodes=budget.nodes, depth=budget.depth)
    return Request("anna")


@to("offer_rematch")
def a_rematch(world: World) -> Request:
    """Return a rematch of a match that is over."""
    resign(world)
    return Request("anna", 201)


@to("request_confirmation")
def an_unconfirmed_email(world: World) -> Request:
    """Return an e-mail address that is not confirmed."""
    Player.objects.filter(username="anna").update(email="anna@example.org")
    return Request("anna", 202)


@to("change_password")
def a_password(world: World) -> Request:
    """Return a player who has a password."""
    anna = player("anna")
    anna.set_password(PASSWORD)
    anna.save()
    return Request("anna", 204, {"old": PASSWORD, "new": f"{PASSWORD} again"})


@to("list_challenges")
def challenges(world: World) -> Request:
    """Ask whom a player of a challenge ladder can challenge."""
    make_challenge_ladder()
    return Request("carla", path={"slug": "steps"})


@to("challenge_player")
def a_challenge(world: World) -> Request:
    """Return a challenge of the player above."""
    make_challenge_ladder()
    return Request("carla", 201, {"opponent": "piotr"}, path={"slug": "steps"})


@to("open_competition")
def a_draft(world: World) -> Request:
    """Return a cup that is being prepared."""
    cup = Cup(name="Draft", slug="draft", game="streetsoccer-board", created_at=NOW)
    store_competition(competition=cup, stage=Stage(format="knock-out"))
    return of_olga(cup)


@to("create_competition")
def a_recipe(world: World) -> Request:
    """Return what a competition is made of at least."""
    return Request("olga", 201, {"recipe": "knock-out", "name": "Made", "game": "streetsoccer-board"})


@to("edit_competition")
def a_draft_of_another_name(world: World) -> Request:
    """Return another name for a draft."""
    return replace(a_draft(world), body={"name": "Renamed"})


@to("delete_draft")
def a_draft_to_delete(world: World) -> Request:
    """Return a draft that nobody wants."""
    return replace(a_draft(world), status=204)


@to("close_competition")
@to("draw_cup")
@to("get_draw")
def an_open_cup(world: World) -> Request:
    """Return a cup that two have entered."""
    return of_olga(make_open_cup())


@to("admit_player")
def somebody_to_admit(world: World) -> Request:
    """Return a player who has not entered an open cup."""
    return of_olga(make_open_cup(), WHY | {"player": "carla"})


@to("enter_team")
def a_team_to_enter(_world: World) -> Request:
    """Return a league of teams that anna's team can enter."""
    make_league(boards=2)
    return Request("anna", 201, {"team": "foxes", "players": ["anna"]}, path={"slug": "league"})


@to("admit_team")
def a_team_to_admit(_world: World) -> Request:
    """Return a league of teams that olga organises, and anna's team."""
    return of_olga(make_league(boards=2), WHY | {"team": "foxes", "players": ["anna"]})


@to("set_line_up")
def a_line_up(_world: World) -> Request:
    """Return a league of teams that anna's team has entered."""
    enter(make_league(boards=2), Team.objects.get(slug="foxes"))
    return Request("anna", body={"round": 1, "players": ["anna"]}, path={"slug": "league"})


@to("set_line_up_of_team")
def a_line_up_of_others(_world: World) -> Request:
    """Return a team in a league that olga organises."""
    league = make_league(boards=2)
    entry = enter(league, Team.objects.get(slug="foxes"))
    return of_olga(league, WHY | {"round": 1, "players": ["anna"]}, entry_id=entry.pk)


@to("list_line_ups")
@to("list_meetings")
def a_league_of_teams(_world: World) -> Request:
    """Return the first round of a league of teams."""
    start_league(make_teams(2, 2), boards=2, now=NOW)
    return Request(path={"slug": "league"})


@to("extend_clocks")
def a_match_whose_clock_has_room(world: World) -> Request:
    """Return more time in a match, and in one that there is not."""
    fixture = running(world.cup)[0]
    return of_olga(world.cup, WHY | {"fixtures": [fixture.pk, 999_999], "seconds": 60})


@to("adjudicate_fixtures")
def matches_to_be_decided(world: World) -> Request:
    """Return a decision of all matches of a cup by their score."""
    numbers = [fixture.pk for fixture in running(world.cup)]
    return of_olga(world.cup, WHY | {"fixtures": numbers, "policy": "adjudicate"})


@to("pause_fixtures")
@to("resume_fixtures")
def matches_of_which_some_are_there(world: World) -> Request:
    """Return a match, and one that there is not."""
    return of_olga(world.cup, WHY | {"fixtures": [running(world.cup)[0].pk, 999_999]})


@to("pause_fixture")
def a_running_match(world: World) -> Request:
    """Return a match that goes on."""
    return of_olga(world.cup, WHY, fixture_id=running(world.cup)[0].pk)


@to("resume_fixture")
def a_match_that_is_paused(world: World) -> Request:
    """Return a match that was paused by itself."""
    fixture = running(world.cup)[0]
    request = of_olga(world.cup, WHY, fixture_id=fixture.pk)
    pause_fixture(fixture_id=fixture.pk, actor=player("olga"), reason="Ill.", now=NOW)
    return request


@to("annul_fixtures")
def matches_of_ties(world: World) -> Request:
    """Return matches of a knock-out, which are refused one by one."""
    return of_olga(world.cup, WHY | {"fixtures": [fixture.pk for fixture in running(world.cup)], "confirm": True})


@to("withdraw_entries")
def players_who_leave(world: World) -> Request:
    """Return a player of a cup who is to be withdrawn."""
    return of_olga(world.cup, WHY | {"entries": [world.cup.entries.order_by("pk")[0].pk]})


@to("import_entries")
def a_list(world: World) -> Request:
    """Return a list of players for an open cup."""
    return of_olga(make_open_cup(), WHY | {"text": "carla"})


@to("get_competition")
def a_cup_with_groups(world: World) -> Request:
    """Return a cup of which the groups are played."""
    begin_groups(make_stages(8, slug="groups", grouping={"groups": 2, "size": None}))
    return Request(path={"slug": "groups"})


@to("resume_competition")
def a_paused_cup(world: World) -> Request:
    """Return a cup whose clocks have been stopped."""
    pause_competition(competition_id=world.cup.pk, actor=player("olga"), reason="Wait.", now=NOW)
    return Request("olga", body={})


@to("finish_competition")
def a_running_ladder(world: World) -> Request:
    """Return a ladder that has started."""
    start(world.ladder, NOW)
    return of_olga(world.ladder, WHY)


@to("request_bye")
def a_coming_round(world: World) -> Request:
    """Return a round of a Swiss that has not been drawn."""
    swiss_with_byes()
    return Request("piotr", body={"round": 2}, path={"slug": "swiss"})


@to("take_back_bye")
def a_request_for_a_bye(world: World) -> Request:
    """Return a request whose round has not been drawn."""
    swiss_with_a_request()
    return Request("piotr", path={"slug": "swiss"})


@to("get_competition")
def a_swiss_with_byes(world: World) -> Request:
    """Return a Swiss in which the caller asks for a bye."""
    swiss_with_a_request()
    return Request("piotr", path={"slug": "swiss"})


@to("request_bye_for_entry")
def an_entrant_who_plays(world: World) -> Request:
    """Return an entrant of a Swiss with byes on request."""
    cup = swiss_with_byes()
    return of_olga(cup, {"round": 2}, entry_id=Entry.objects.get(competition=cup, player=player("piotr")).pk)


@to("take_back_bye_of_entry")
def an_entrant_who_asks_for_a_bye(world: World) -> Request:
    """Return an entrant of a Swiss who asks for a bye."""
    entry = swiss_with_a_request()
    return of_olga(Cup.objects.get(pk=entry.competition_id), {}, entry_id=entry.pk)


@to("preview_start_competition")
def who_would_not_play(world: World) -> Request:
    """Return a cup in which players check in, of which is asked what would follow from the start."""
    return of_olga(cup_with_a_check_in())


@to("open_check_in")
def a_cup_before_its_check_in(world: World) -> Request:
    """Return a cup that is open for entry."""
    return of_olga(make_open_cup())


@to("call_off_check_in")
def a_check_in_to_be_called_off(world: World) -> Request:
    """Return a cup in which players check in, and why they need not."""
    return of_olga(cup_with_a_check_in(), WHY)


@to("check_in")
def a_check_in(world: World) -> Request:
    """Return a cup in which players check in."""
    return Request("anna", path={"slug": cup_with_a_check_in().slug})


@to("check_in_entry")
@to("take_back_check_in")
def an_entrant_who_is_there(world: World) -> Request:
    """Return an entrant of a cup in which players check in."""
    cup = cup_with_a_check_in()
    return of_olga(cup, {}, entry_id=cup.entries.order_by("pk")[0].pk)


@to("check_in_entries")
def entrants_who_are_there(world: World) -> Request:
    """Return two entrants of a cup in which players check in."""
    cup = cup_with_a_check_in()
    return of_olga(cup, {"entries": list(cup.entries.order_by("pk").values_list("pk", flat=True))})


@to("check_in_waiting_player")
def somebody_who_waits_and_is_there(world: World) -> Request:
    """Return who is on the waiting list of a cup in which players check in."""
    cup = cup_with_a_check_in()
    waiting = cup.waiting_players.create(player=player("carla"), joined_at=NOW)
    return of_olga(cup, {}, waiting_id=waiting.pk)


@to("take_back_start")
def a_running_cup(world: World) -> Request:
    """Return a cup that has started, and in which nobody has moved."""
    return of_olga(started_cup(), WHY)


@to("preview_take_back_start")
def what_follows_from_no_start(world: World) -> Request:
    """Return the same cup, of which is asked what would follow."""
    return of_olga(started_cup())


@to("take_back_withdrawal")
def a_cup_that_somebody_has_left(world: World) -> Request:
    """Return a round robin from which a player was withdrawn."""
    cup, entry_id = cup_with_a_withdrawal()
    return of_olga(cup, WHY, entry_id=entry_id)


@to("preview_take_back_withdrawal")
def what_follows_from_no_withdrawal(world: World) -> Request:
    """Return the same round robin, of which is asked what would follow."""
    cup, entry_id = cup_with_a_withdrawal()
    return of_olga(cup, entry_id=entry_id)


def swiss_with_byes() -> Cup:
    """Return a running Swiss of two rounds in which players can ask for byes."""
    cup = make_cup(slug="swiss", name="Swiss", format="swiss", rounds=2, byes_on_request=True)
    enter_all(cup, [player("piotr"), player("carla"), player("anna")])
    start(cup, NOW)
    return cup


def swiss_with_a_request() -> Entry:
    """Return the entry of a player who asks to sit out the second round of a Swiss."""
    entry = Entry.objects.get(competition=swiss_with_byes(), player=player("piotr"))
    return request_bye(entry_id=entry.pk, round_number=2, actor=entry.player, now=NOW)


@to("get_competition")
def a_cup_with_a_forecast(world: World) -> Request:
    """Forecast the end of the cup, which its only match holds up."""
    fixture = world.cup.fixtures.get()
    ends = {f"{what}_{end}": NOW for what in ("stage", "round") for end in ("early", "likely", "late")}
    holds_up = [[fixture.match_id, fixture.red_id]]
    Forecast.objects.create(competition=world.cup, made_at=NOW, due_at=NOW, round_number=1, holds_up=holds_up, **ends)
    return Request()


@to("list_titles")
def titles_of_a_winner(world: World) -> Request:
    """List the title of the cup, which piotr has won."""
    winner = world.cup.entries.get(player__username="piotr")
    Competition.objects.filter(pk=world.cup.pk).update(
        status=CompetitionStatus.FINISHED, finished_at=NOW, winner=winner
    )
    store_title(competition=Competition.objects.get(pk=world.cup.pk))
    return Request(query={"kind": "cup", "player": "piotr", "limit": "1"})


@to("withdraw_team_invitation")
def an_invitation_to_a_team(_world: World) -> Request:
    """Invite carla to anna's team, and withdraw it."""
    invite_to_foxes("carla")
    return Request("anna", 204, path={"slug": "foxes", "username": "carla"})


@to("accept_team_invitation")
def an_invitation_that_is_accepted(_world: World) -> Request:
    """Invite carla to anna's team, who accepts."""
    invite_to_foxes("carla")
    return Request("carla", path={"slug": "foxes"})


@to("decline_team_invitation")
def an_invitation_that_is_declined(_world: World) -> Request:
    """Invite carla to anna's team, who declines."""
    invite_to_foxes("carla")
    return Request("carla", 204, path={"slug": "foxes"})


@to("list_received_team_invitations")
def an_invitation_that_waits(_world: World) -> Request:
    """Invite carla to anna's team, who asks for what they have received."""
    invite_to_foxes("carla")
    return Request("carla")


@to("leave_team")
def a_member_who_leaves(_world: World) -> Request:
    """Let carla be a member of anna's team, and leave it."""
    team = invite_to_foxes("carla")
    accept_team_invitation(team_id=team.pk, player=player("carla"), now=NOW)
    return Request("carla", 204, path={"slug": "foxes"})


@to("remove_team_member")
def a_member_who_is_removed(_world: World) -> Request:
    """Let carla be a member of anna's team, who removes them."""
    team = invite_to_foxes("carla")
    accept_team_invitation(team_id=team.pk, player=player("carla"), now=NOW)
    return Request("anna", 204, path={"slug": "foxes", "username": "carla"})


def invite_to_foxes(username: str) -> Team:
    """Return anna's team, which has invited this player."""
    team = Team.objects.get(slug="foxes")
    invite_to_team(team_id=team.pk, player=player(username), actor=player("anna"), now=NOW)
    return team


@to("take_back_decision")
def a_match_that_was_adjudicated(world: World) -> Request:
    """Return a match of a round robin that an organiser has decided."""
    fixture = decided_fixture()
    return of_olga(fixture.competition, WHY, fixture_id=fixture.pk)


@to("preview_take_back_decision")
def what_follows_from_no_decision(world: World) -> Request:
    """Return the same match, of which is asked what would follow."""
    fixture = decided_fixture()
    return of_olga(fixture.competition, fixture_id=fixture.pk)


@to("take_back_annulment")
def a_match_that_was_annulled(world: World) -> Request:
    """Return a match of a round robin that an organiser has annulled."""
    fixture = annulled_fixture()
    return of_olga(fixture.competition, WHY, fixture_id=fixture.pk)


@to("preview_take_back_annulment")
def what_follows_from_no_annulment(world: World) -> Request:
    """Return the same match, of which is asked what would follow."""
    fixture = annulled_fixture()
    return of_olga(fixture.competition, fixture_id=fixture.pk)


@to("preview_annul_fixture")
@to("preview_replay_fixture")
def what_follows_from_a_replay(world: World) -> Request:
    """Return a match of a round robin, of which is asked what would follow if it were played again."""
    fixture = fixture_of_olga()
    return of_olga(fixture.competition, fixture_id=fixture.pk)


@to("take_back_replay")
def a_match_that_is_played_again(world: World) -> Request:
    """Return a match of a round robin that an organiser lets be played again."""
    fixture = replayed_fixture()
    return of_olga(fixture.competition, WHY, fixture_id=fixture.pk)


@to("preview_take_back_replay")
def what_follows_from_no_replay(world: World) -> Request:
    """Return the same match, of which is asked what would follow."""
    fixture = replayed_fixture()
    return of_olga(fixture.competition, fixture_id=fixture.pk)


@to("take_back_end")
def a_cup_that_was_cancelled(world: World) -> Request:
    """Return a round robin that an organiser has cancelled."""
    return of_olga(cancelled_cup(), WHY)


@to("preview_take_back_end")
def what_follows_from_no_end(world: World) -> Request:
    """Return the same round robin, of which is asked what would follow."""
    return of_olga(cancelled_cup())


@to("take_back_round_end")
def a_round_that_was_ended(world: World) -> Request:
    """Return a round that an organiser has ended."""
    round_ = ended_round()
    return of_olga(round_.group.competition, WHY, number=round_.number)


@to("preview_take_back_round_end")
def what_follows_from_no_end_of_a_round(world: World) -> Request:
    """Return the same round, of which is asked what would follow."""
    round_ = ended_round()
    return of_olga(round_.group.competition, number=round_.number)


@to("list_proposed_rounds")
@to("publish_round")
@to("draw_round_again")
def a_round_that_waits(world: World) -> Request:
    """Return the first round of a Swiss, which waits for its organisers."""
    proposed = proposed_round()
    return of_olga(proposed.group.competition, number=proposed.number)


@to("swap_players")
def two_who_would_meet(world: World) -> Request:
    """Return two players of the same round."""
    proposed = proposed_round()
    body = {"first": "piotr", "second": "anna"}
    return of_olga(proposed.group.competition, body, number=proposed.number)


@to("take_back_publication")
def a_round_that_was_published(world: World) -> Request:
    """Return a round that was published and in which nobody has moved."""
    round_ = published_round()
    return of_olga(round_.group.competition, WHY, number=round_.number)


@to("preview_take_back_publication")
def what_follows_from_no_publication(world: World) -> Request:
    """Return the same round, of which is asked what would follow."""
    round_ = published_round()
    return of_olga(round_.group.competition, number=round_.number)


def proposed_round() -> ProposedRound:
    """Return the first round of a Swiss of three in which organisers publish rounds."""
    cup = make_cup(slug="swiss", name="Swiss", format="swiss", rounds=2, organisers_publish=True)
    enter_all(cup, [player("piotr"), player("carla"), player("anna")])
    start(cup, NOW)
    return ProposedRound.objects.select_related("group__stage__competition").get()


def published_round() -> Round:
    """Return the same round, published."""
    return publish_round(proposed=proposed_round(), actor=None, now=NOW)


def fixture_of_olga() -> Fixture:
    """Return a match that goes on in a round robin that olga organises."""
    cup = started_cup()
    cup.organisers.add(player("olga"))
    return running(cup)[0]


def decided_fixture() -> Fixture:
    """Return a match that olga has adjudicated."""
    fixture = fixture_of_olga()
    adjudicate_fixture(fixture_id=fixture.pk, winner=None, actor=player("olga"), reason="Rain.", now=NOW)
    return fixture


def annulled_fixture() -> Fixture:
    """Return a match that olga has annulled."""
    fixture = fixture_of_olga()
    annul_fixture(fixture_id=fixture.pk, actor=player("olga"), reason="Rain.", now=NOW)
    return fixture


def replayed_fixture() -> Fixture:
    """Return a match that olga lets be played again."""
    fixture = fixture_of_olga()
    replay_fixture(fixture_id=fixture.pk, actor=player("olga"), reason="Rain.", now=NOW)
    return fixture


def ended_round() -> Round:
    """Return a round that olga has ended."""
    round_ = fixture_of_olga().round
    assert round_ is not None
    end_round(round=round_, policy=RoundEnd.ADJUDICATE, actor=player("olga"), reason="Rain.", now=NOW)
    return Round.objects.select_related("group__stage__competition").get(pk=round_.pk)


def cancelled_cup() -> Cup:
    """Return a round robin of three that olga has cancelled."""
    cup = started_cup()
    cup.organisers.add(player("olga"))
    cancel_competition(competition_id=cup.pk, actor=player("olga"), reason="Rain.", now=NOW)
    return cup


def started_cup() -> Cup:
    """Return a round robin of three that has started."""
    cup = make_open_cup(**ROUND_ROBIN)
    enter_all(cup, [player("carla")])
    start(cup, NOW)
    return cup


def cup_with_a_withdrawal() -> tuple[Cup, int]:
    """Return a running round robin, and the entry that was withdrawn from it."""
    cup = started_cup()
    cup.organisers.add(player("olga"))
    entry = Entry.objects.get(competition=cup, player=player("carla"))
    withdraw_entry(entry_id=entry.pk, actor=player("olga"), reason="Away.", now=NOW)
    return cup, entry.pk


@to("annul_fixture")
def a_result_on_which_nothing_rests(world: World) -> Request:
    """Return a counted match of a round robin."""
    cup = make_open_cup(**ROUND_ROBIN)
    enter_all(cup, [player("carla")])
    start(cup, NOW)
    fixture = running(cup)[0]
    end(fixture, Side.YELLOW, NOW)
    return of_olga(cup, WHY, fixture_id=fixture.pk)


@to("extend_clock")
def a_clock_with_room(world: World) -> Request:
    """Return a match whose clocks hold less than their cap."""
    cup = make_open_cup(time_bank=3600, time_increment=60, time_cap=7200)
    start(cup, NOW)
    return of_olga(cup, WHY | {"side": "yellow", "seconds": 60}, fixture_id=running(cup)[0].pk)


def of_olga(competition: Competition, body: dict[str, Any] | None = None, **path: Any) -> Request:
    """Return a request of olga's, who organises the competition."""
    competition.organisers.add(player("olga"))
    return Request("olga", body=body or {}, path={"slug": competition.slug, **path})


def make_open_cup(**options: Any) -> Cup:
    """Return a cup that anna and piotr have entered."""
    cup = make_cup(slug="next", name="Next", legs=1, **options)
    enter_all(cup, [player("anna"), player("piotr")])
    return cup


def cup_with_a_check_in() -> Cup:
    """Return a cup that anna and piotr have entered, in which players check in."""
    return make_open_cup(check_in_opened_at=NOW)


def make_challenge_ladder() -> None:
    """Make a running challenge ladder with piotr above carla."""
    ladder = make_ladder(slug="steps", name="Steps", format="challenge-ladder")
    enter_all(ladder, [player("anna"), player("piotr"), player("carla")])
    start(ladder, NOW)


def player(username: str) -> Player:
    """Return a player of the world."""
    return Player.objects.get(username=username)


def resign(world: World) -> None:
    """Let anna resign the match."""
    services.resign(match_id=world.match.pk, player=player("anna"), now=NOW)


def waiting_in_open_competition(world: World) -> Request:
    """Return how organisers act on who waits for a place on the ladder, which has not started."""
    waiting_id = world.ladder.waiting_players.get().pk
    return Request("olga", body=WHY, path={"slug": "ladder", "waiting_id": waiting_id})


REQUESTS["enter_from_waiting_list"].append(waiting_in_open_competition)
REQUESTS["remove_from_waiting_list"].append(waiting_in_open_competition)
