"""Whoever decides an own match or that of a rival is told before, and everybody is told by the log."""

import pytest
from django.utils import timezone

from players.models import Player
from tests.tournaments.rounds.test_proposed_rounds import waiting_round
from tests.tournaments.teams.leagues import make_teams, start_league
from tests.tournaments.verbs import enter_all, make_cup, make_players, running, start
from tournaments.decisions.services.pairings import draw_round_again, publish_round, swap_players
from tournaments.desk.acts import ACTS, ENTRY, FIXTURE, PROPOSED_ROUND, ROUND
from tournaments.models import Cup, Entry, Fixture, LogEntry
from tournaments.office.selectors.interests import stake_of

pytestmark = pytest.mark.django_db

BASE, API = "/cups/cup/organise/", "/api/v1/competitions/cup/"
OWN = "You play in this match."
OF_RIVALS = "You play in this competition yourself."


@pytest.fixture
def cup(olga: Player) -> Cup:
    """Return a running cup of four players, in which its organiser plays, and a helper too."""
    players = [olga, *make_players(3)]
    cup = make_cup(legs=1, organiser=olga, helper=players[1])
    enter_all(cup, players)
    start(cup, timezone.now())
    return cup


def lines(cup):
    return dict(LogEntry.objects.filter(competition=cup).values_list("action", "interest"))


def match_of(cup, player) -> Fixture:
    return next(each for each in running(cup) if player.pk in each.player_ids)


def match_without(cup, player) -> Fixture:
    return next(each for each in running(cup) if player.pk not in each.player_ids)


def shown(client, path, **query):
    return " ".join(client.get(f"{BASE}{path}", query).content.decode().split())


def test_pages_of_matches_rounds_and_entries_tell_who_plays(cup, olga, client_of):
    client, own, other = client_of(olga), match_of(cup, olga), match_without(cup, olga)
    for act in ("adjudicate", "extend", "pause", "replay"):
        assert OWN in shown(client, f"fixtures/{own.pk}/{act}/")
        assert OF_RIVALS in shown(client, f"fixtures/{other.pk}/{act}/")
    assert OF_RIVALS in shown(client, f"entries/{other.yellow_id}/withdraw/")
    assert OF_RIVALS in shown(client, "rounds/1/end/")
    several = shown(client, "fixtures/adjudicate/", chosen=[own.pk, other.pk])
    assert (several.count(OWN), several.count(OF_RIVALS)) == (1, 1)
    for path in ("announce/", f"entries/{Entry.objects.get(competition=cup, player=olga).pk}/withdraw/"):
        assert "You play in" not in shown(client, path)
    cup.organisers.add(stranger := Player.objects.create(username="stranger"))
    assert "You play in" not in shown(client_of(stranger), f"fixtures/{own.pk}/adjudicate/")


def test_programs_are_told_before_and_everybody_by_the_log(cup, olga, client_of, api):
    own, other = match_of(cup, olga), match_without(cup, olga)
    foreseen = {each.pk: api(olga).get(f"{API}fixtures/{each.pk}/replay/preview/").json() for each in (own, other)}
    assert [(each["interest"], each["sentences"][0]) for each in foreseen.values()] == [
        ("match", f"{OWN} The log will tell everybody so."),
        ("competition", f"{OF_RIVALS} The log will tell everybody so."),
    ]
    api(olga).post(f"{API}fixtures/{own.pk}/pause/", {"reason": "ill"})
    client_of(olga).post(f"{BASE}fixtures/{other.pk}/adjudicate/", {"winner": "yellow", "reason": "late"})
    paused, decided = sorted(api().get(f"{API}log/").json()["results"], key=lambda line: line["id"])[-2:]
    assert (paused["interest"], paused["match"]) == ("match", own.match_id)
    assert paused["text"].endswith(" By somebody who plays in this match.")
    assert (decided["interest"], decided["match"]) == ("competition", other.match_id)
    page = " ".join(client_of(None).get("/cups/cup/log/").content.decode().split())
    assert [f"olga, plays in this {what}" in page for what in ("match", "competition")] == [True, True]


def test_helpers_who_play_and_the_rules_and_strangers(cup, olga, client_of):
    helper = cup.helpers.get()
    other = match_without(cup, helper)
    client_of(helper).post(f"{BASE}fixtures/{other.pk}/extend/", {"side": other.match.side, "by": "1", "reason": "ill"})
    assert lines(cup)["extended"] == "competition"
    assert lines(cup)["started"] == ""


def test_members_of_teams_have_an_interest_too():
    teams = make_teams(2, 2)
    league, (own, other) = start_league(teams, boards=2)
    fixture = Fixture.objects.filter(competition=league).earliest("pk")
    (second,) = teams[0].memberships.exclude(player=teams[0].captain)
    stake = stake_of(competition=league, player=second.player)
    assert [stake.interest_in(each) for each in (fixture, own, other)] == ["match", "", "competition"]


def test_every_act_on_matches_entries_and_rounds_is_judging():
    judging = {kind.name for kind in (FIXTURE, ENTRY, ROUND, PROPOSED_ROUND)}
    assert {act.on.name for act in ACTS if act.on.is_judging} == judging


def test_programs_are_told_before_every_act_on_a_match(cup, olga, api):
    own = match_of(cup, olga)
    for act in ("adjudicate", "extend", "pause"):
        foreseen = api(olga).get(f"{API}fixtures/{own.pk}/{act}/preview/").json()
        assert (foreseen["interest"], foreseen["sentences"][0]) == ("match", f"{OWN} The log will tell everybody so.")
    api(olga).post(f"{API}fixtures/{own.pk}/pause/", {"reason": "ill"})
    assert api(olga).get(f"{API}fixtures/{own.pk}/resume/preview/").json()["interest"] == "match"
    feed = api().get("/cups/cup/feed/").content.decode()
    assert "ill&lt;br&gt;By somebody who plays in this match." in feed


def test_who_changes_and_publishes_pairings_in_which_they_play_is_named(olga, client_of, api):
    now, others = timezone.now(), make_players(3)
    swiss = make_cup(format="swiss", tiebreaks=[], organisers_publish=True, organiser=olga)
    enter_all(swiss, [olga, *others])
    start(swiss, now)
    assert OF_RIVALS in shown(client_of(olga), "proposed-rounds/1/publish/")
    assert api(olga).get(f"{API}proposed-rounds/1/publish/preview/").json()["interest"] == "competition"
    draw_round_again(proposed=waiting_round(swiss), actor=olga, now=now)
    swap_players(proposed=waiting_round(swiss), first=others[0], second=others[1], actor=olga, now=now)
    publish_round(proposed=waiting_round(swiss), actor=olga, reason="They met before.", now=now)
    told = lines(swiss)
    assert told["round-drawn-again"] == told["pairings-changed"] == told["round-published"] == "competition"
    assert told["started"] == told["round-proposed"] == ""
