"""Knock-outs of teams on pages and over the API: made from the recipe, drawn by names, played, shown."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.matches.test_queries import queries_of
from tests.tournaments.conftest import ClientOf
from tests.tournaments.rounds.test_team_leagues import keep, options_of, send, text_of
from tests.tournaments.teams.cups import boards_of, end_board, let_win, make_team_cup, start_team_cup, tie_of
from tests.tournaments.teams.leagues import enter, make_teams, members
from tests.tournaments.verbs import NOON, open_entry, running
from tournaments.desk.acts import ENTRY, acts_on
from tournaments.models import CompetitionStatus, Cup, Entry, LineUp, Tie
from tournaments.models.rights import RIGHTS, Role

pytestmark = pytest.mark.django_db

MAKE, DESK, PAGE = "/make/team-cup/", "/cups/cup-of-teams/organise/", "/cups/cup-of-teams/"
DAY = timedelta(days=1)


def test_a_cup_of_teams_is_made_and_played_on_the_site(mia: Player, client_of: ClientOf) -> None:
    maker = client_of(mia)
    assert f'href="{MAKE}"' in text_of(maker.get("/make/"))
    options = options_of(maker, MAKE) | {"name": "Cup of teams", "game": "paper-soccer", "boards": 2}
    assert keep(maker, MAKE, options).url == DESK
    cup = Cup.objects.get()
    stage = cup.first_stage
    assert (cup.boards, stage.options["legs"], stage.options["replays"], stage.tiebreaks) == (2, 1, 0, [])
    facts = text_of(maker.get(PAGE))
    assert "In each tie two teams meet once." in facts
    assert "If a tie is level, the higher seed goes on." in facts
    assert "A win counts 2" not in facts
    open_entry(cup, now=timezone.now())
    for team in make_teams(3, 2):
        enter(cup, team, timezone.now())
    maker.post(f"{DESK}start/", {"reason": ""})
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.RUNNING
    tie = Tie.objects.get(round__number=1)
    let_win(cup, tie.first, at=timezone.now())
    final = Tie.objects.get(round__number=2)
    let_win(cup, final.second, at=timezone.now())
    page = text_of(maker.get(PAGE))
    assert [name in page for name in ("Team 1", "Team 2", "Team 3", "team-1-1", "by match points")] == [True] * 5
    cup.refresh_from_db()
    assert cup.winner == final.second


def test_the_form_of_a_cup_of_teams_asks_for_no_replays_and_no_seeds_by_rating(
    mia: Player, client_of: ClientOf
) -> None:
    form = client_of(mia).get(MAKE).context["form"]
    assert {"knock-out-legs", "knock-out-third_place", "boards", "seeding", "round_days"} <= set(form.fields)
    assert not [name for name in form.fields if name.endswith("-replays")]
    assert [value for value, _label in form.fields["seeding"].choices] == ["draw", "hand"]
    single = client_of(mia).get("/make/knock-out/").context["form"]
    assert "rating" in [value for value, _label in single.fields["seeding"].choices]
    assert "knock-out-replays" in single.fields


def test_the_api_takes_no_replays_and_no_ratings_of_teams(mia: Player, client_of: ClientOf) -> None:
    client = client_of(mia)
    body = {"recipe": "team-cup", "name": "Cup of teams", "game": "paper-soccer"}
    for chosen, field in (({"options": {"replays": 1}}, "replays"), ({"seeding": "rating"}, "seeding")):
        refused = send(client, "post", "", body | {"stages": [{"number": 1} | chosen]})
        assert (refused[0], list(refused[1]["errors"])) == (400, [field])
    status, made = send(client, "post", "", body | {"boards": 2})
    assert (status, made["boards"], made["stages"][0]["format"]) == (201, 2, "knock-out")
    assert made["stages"][0]["options"] == {"legs": 1, "replays": 0, "third_place": False}


def test_the_bracket_names_teams_and_the_boards_of_each_tie(client: Client) -> None:
    cup, entries = start_team_cup(make_teams(4, 3), boards=3)
    fixtures = boards_of(tie_of(entries[0], entries[3]))
    for fixture, winner in zip(fixtures, (entries[3], entries[0], entries[0]), strict=True):
        end_board(fixture, winner, NOON + DAY)
    page = text_of(client.get(cup.get_absolute_url()))
    assert page.count(f'href="/matches/{fixtures[0].match_id}/"') == 1
    assert "boards 2–1" in page or "boards 1–2" in page
    # In the box: boards won, and match points, upper and lower team.
    assert "Team 1 10 – 5 Team 4, by match points" in page
    assert all(player.username in page for player in members(entries[0].team))
    bracket = client.get(f"/api/v1/competitions/{cup.slug}/bracket/").json()
    tie = bracket["results"][0]["ties"][0]
    assert (tie["winner"], tie["decided_by"], len(tie["matches"])) == ("Team 1", "points", 3)
    assert (tie["first"]["team"]["name"], tie["first"]["player"], tie["first"]["seed"]) == ("Team 1", "team-1-1", 1)
    assert [(side["points"], side["boards_won"]) for side in (tie["first"], tie["second"])] == [(10, 2), (5, 1)]
    met = client.get(f"/api/v1/competitions/{cup.slug}/meetings/?round=1").json()
    own = next(each for each in met if {each["home"]["name"], each["guests"]["name"]} == {"Team 1", "Team 4"})
    assert (own["points"], sorted(own["boards_won"].values())) == (None, [1, 2])
    assert [board["leg"] for board in own["boards"]] == [1, 1, 1]


def test_two_meetings_of_a_tie_stand_below_each_other(client: Client) -> None:
    cup, entries = start_team_cup(make_teams(2, 2), legs=2)
    page = text_of(client.get(cup.get_absolute_url()))
    assert page.count('class="meeting"') == 2
    assert page.count("not over") == 2
    end_board(boards_of(tie_of(*entries))[0], entries[1], NOON + DAY)
    assert '<span class="score">0–5</span>' in text_of(client.get(cup.get_absolute_url()))


def test_captains_are_offered_line_ups_as_long_as_their_team_plays_on(client_of: ClientOf) -> None:
    cup, entries = start_team_cup(make_teams(4, 3), now=timezone.now())
    captain = client_of(entries[3].team.captain)
    path = f"{cup.get_absolute_url()}line-up/"
    substitute = members(entries[3].team)[2]
    assert captain.post(f"{path}?round=2", {"board_1": substitute.pk}).status_code == 302
    assert LineUp.objects.get(entry=entries[3], round_number=2).players == [substitute.pk]
    let_win(cup, entries[0], entries[1], at=timezone.now())
    page = text_of(captain.get(cup.get_absolute_url()))
    assert ("Your team is out" in page, f'href="{path}"' in page) == (True, False)
    assert captain.get(path).status_code == 302
    let_win(cup, entries[0], at=timezone.now())
    assert "Your team’s final place: 3" in text_of(captain.get(cup.get_absolute_url()))


def test_organisers_are_offered_the_line_up_of_teams_that_play_on_in_few_queries(
    olga: Player, client_of: ClientOf
) -> None:
    cup, entries = start_team_cup(make_teams(4, 3), now=timezone.now())
    cup.organisers.add(olga)
    client, rights, url = client_of(olga), RIGHTS[Role.ORGANISER], f"{cup.get_desk_url()}entries/"

    def offered() -> list[bool]:
        return ["line-up" in {act.name for act in acts_on(ENTRY, cup, entry, rights)} for entry in entries]

    assert offered() == [True] * 4
    for fixture in boards_of(tie_of(entries[0], entries[3])):
        end_board(fixture, entries[0], timezone.now())
    assert offered() == [True, True, True, False]
    page = text_of(client.get(url))
    assert [f'href="{url}{entry.pk}/line-up/"' in page for entry in entries] == [True, True, True, False]
    few = len(queries_of(lambda: client.get(url, {"player": "Team 1"})))
    assert len(queries_of(lambda: client.get(url))) == few
    let_win(cup, entries[1], at=timezone.now())
    # The last round has begun.
    assert offered() == [False] * 4


def test_the_log_says_on_what_teams_were_level(olga: Player, client_of: ClientOf) -> None:
    cup, _entries = start_team_cup(make_teams(2, 2), now=timezone.now())
    cup.organisers.add(olga)
    client, said = client_of(olga), "level on match points, boards and goals: the higher seed goes on"
    for fixture in running(cup):
        end_board(fixture, None, timezone.now())
    url = cup.get_absolute_url()
    for path in (f"{url}log/", f"{url}feed/", cup.get_desk_url()):
        assert said in text_of(client.get(path)).lower(), path


@pytest.fixture
def drawn_by_mia(mia: Player) -> Cup:
    """Return a knock-out of two teams that mia organises, one called as the captain of the other, one with a comma."""
    cup = make_team_cup()
    cup.organisers.add(mia)
    one, other = make_teams(2, 2)
    for team, name in ((one, "team-2-1"), (other, "Reds, Whites and Blues of Ærø Island")):
        team.name, team.folded_name = name, name.casefold()
        team.save()
    enter(cup, one)
    enter(cup, other)
    return cup


def test_teams_are_swapped_in_a_draw_by_their_names(drawn_by_mia: Cup, mia: Player, client_of: ClientOf) -> None:
    client, url = client_of(mia), f"{drawn_by_mia.get_desk_url()}draw/"
    first = client.get(url, {"seed": 7}).context["draw"].entries
    shown = client.get(url, {"seed": "7", "first": str(first[0]), "second": str(first[1])})
    assert shown.context["draw"].entries == (first[1], first[0])
    client.post(url, {"seed": 7, "order": shown.context["form"]["order"].value()})
    assert list(Entry.objects.order_by("seats__seed")) == [first[1], first[0]]


@pytest.mark.parametrize("is_first", [True, False])
def test_teams_are_seeded_by_their_names(drawn_by_mia: Cup, mia: Player, client_of: ClientOf, is_first: bool) -> None:
    client, url = client_of(mia), f"{drawn_by_mia.get_desk_url()}draw/"
    lines = ["TEAM-2-1", "", " reds,  whites and blues of ærø island "]
    answer = client.get(url, {"order": "\r\n".join(lines if is_first else reversed(lines))})
    assert [entry.name for entry in answer.context["draw"].entries][0 if is_first else 1] == "team-2-1"
    page = text_of(answer)
    assert ("Team names, first seed first" in page, "Usernames" in page) == (True, False)
    assert "Teams that are not named are drawn after them." in page


def test_the_page_of_the_draw_says_what_it_cannot_read(drawn_by_mia: Cup, mia: Player, client_of: ClientOf) -> None:
    client, url = client_of(mia), f"{drawn_by_mia.get_desk_url()}draw/"
    cases: list[tuple[dict[str, str], str]] = [
        ({"order": "Nobody of all"}, "Not in this competition: Nobody of all."),
        ({"first": "team-2-1", "second": "team-1-1"}, "Not in this competition: team-1-1."),
        ({"first": "x" * 41, "second": "team-2-1"}, "Team: Ensure this value has at most 40 characters"),
        ({"seed": "seven"}, "Draw seed: Enter a whole number."),
    ]
    for data, said in cases:
        answer = client.get(url, data)
        assert (answer.status_code, said in text_of(answer)) == (400, True)
