"""The pages of cups of several groups and stages: where each stands, who goes on, and where rounds are shown."""

import re
from html import unescape

import pytest

from players.models import Player
from tests.marks import nightly, nightly_rows
from tests.pages.html import lost_references, text_of
from tests.tournaments.pages.parts import begin_groups, begin_knock_out, decide_ties, make_stages, play_rounds
from tests.tournaments.pages.test_queries import cost
from tests.tournaments.verbs import NOON, ROUND_ROBIN, enter_all, make_cup, start, start_cup
from tournaments.models import CompetitionStatus, Cup, Entry, Group, Seat, Stage, Standing
from tournaments.tables.selectors.group_tables import MIN_ROWS, GoingOn

pytestmark = pytest.mark.django_db

MAX_QUERIES = 18
WHO_GOES_ON = "The first two of each group go on to the next stage, seeded crossed"


def words_of(response):
    return unescape(text_of(response))


def cards_in(response):
    return response.context["cards"].cards


def going_on(response):
    return {card.name: [row.going_on for row in card.table.rows] for card in cards_in(response)}


def boxes_in(response):
    found = re.findall(r"<title>([^<]*)</title>\s*<svg", response.content.decode())
    return [unescape(" ".join(each.split())) for each in found]


def group_stage(players=8, groups=2, **options):
    """Return a cup of which the groups are played."""
    cup = make_stages(players, grouping={"groups": groups, "size": None}, **options)
    return cup, begin_groups(cup)


def test_a_cup_of_one_stage_shows_no_stages(visitor):
    start_cup(4, **ROUND_ROBIN)
    response = visitor.get("/cups/cup/")
    assert "steps" not in response.context
    assert 'class="stages"' not in response.content.decode()
    links = re.findall(r'href="(\?round=\d#round|/cups/cup/[^"]*round[^"]*)"', response.content.decode())
    assert links == [f"/cups/cup/?round={number}#round" for number in (1, 2, 3)]


def test_the_stages_are_named_in_order_and_the_latest_that_has_begun_is_shown(visitor):
    cup, _groups = group_stage()
    response = visitor.get("/cups/cup/")
    assert [(step.name, step.is_shown) for step in response.context["steps"]] == [
        ("Group stage", True),
        ("Knock-out", False),
    ]
    assert "Group stage running" in words_of(response)
    assert "Knock-out upcoming" in words_of(response)
    play_rounds(cup, 6)
    begin_knock_out(cup)
    response = visitor.get("/cups/cup/")
    assert [step.is_shown for step in response.context["steps"]] == [False, True]
    assert "Group stage over" in words_of(response)
    assert len(boxes_in(response)) == 3
    assert [card.name for card in cards_in(visitor.get("/cups/cup/?stage=1"))] == ["Group A", "Group B"]
    assert lost_references(response) == lost_references(visitor.get("/cups/cup/?stage=1")) == set()


def test_a_stage_for_which_too_few_are_left_was_not_played(visitor):
    cup, _groups = group_stage()
    play_rounds(cup, 6)
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.FINISHED)
    assert "Knock-out not played" in words_of(visitor.get("/cups/cup/"))


def test_stages_of_one_name_are_counted(visitor):
    cup, _groups = group_stage()
    Stage.objects.filter(competition=cup, number=2).update(number=3)
    Stage.objects.create(
        competition=cup,
        number=2,
        format="round-robin",
        options={"cycles": 1},
        grouping={"groups": 2, "size": None},
        advance={"first": 1, "best": 0, "above_percent": None, "seeding": "crossed"},
    )
    names = [step.name for step in visitor.get("/cups/cup/").context["steps"]]
    assert names == ["Group stage 1", "Group stage 2", "Knock-out"]


def test_before_the_start_all_players_are_listed(visitor):
    make_stages(6)
    response = visitor.get("/cups/cup/")
    assert words_of(response).count("player-") == 6
    assert "cards" not in response.context
    assert WHO_GOES_ON in words_of(visitor.get("/cups/cup/?stage=2"))


def test_each_group_shows_its_first_rows_and_links_to_all_of_it(visitor):
    cup, groups = group_stage(players=24)
    play_rounds(cup, 1)
    response = visitor.get("/cups/cup/")
    for card, group in zip(cards_in(response), groups, strict=True):
        best = Standing.objects.filter(group=group).order_by("place")[:MIN_ROWS]
        assert [(row.place, row.entry) for row in card.table.rows] == [(row.place, row.seat.entry) for row in best]
        assert f'href="/cups/cup/stages/1/groups/{group.number}/"' in response.content.decode()
    assert "6 of 132 played" in words_of(response)


def test_my_own_group_is_marked_and_my_row_shown_wherever_it_is(client_of):
    group_stage(players=24)
    last = Standing.objects.order_by("-place").select_related("seat__entry__player", "group")[0]
    response = client_of(last.seat.entry.player).get("/cups/cup/")
    (own,) = [card for card in cards_in(response) if card.is_mine]
    assert own.group == last.group
    assert [row.place for row in own.table.rows] == [*range(1, MIN_ROWS + 1), 12]
    assert f"You play in {own.name}" in words_of(response)
    assert "your group" in words_of(response)


def test_the_page_says_in_words_who_goes_on(visitor):
    cup, _groups = group_stage()
    assert going_on(visitor.get("/cups/cup/")) == {"Group A": [GoingOn.NO] * 4, "Group B": [GoingOn.NO] * 4}
    play_rounds(cup, 2)
    so_far = [GoingOn.SO_FAR] * 2 + [GoingOn.NO] * 2
    response = visitor.get("/cups/cup/")
    assert going_on(response) == {"Group A": so_far, "Group B": so_far}
    assert WHO_GOES_ON in words_of(response)
    assert words_of(response).count("would go on as the table is now") == 4 + 1
    play_rounds(cup, 6)
    sure = [GoingOn.YES] * 2 + [GoingOn.NO] * 2
    assert going_on(visitor.get("/cups/cup/?stage=1")) == {"Group A": sure, "Group B": sure}


def test_an_entrant_who_has_withdrawn_does_not_go_on_and_the_next_does(visitor):
    cup, groups = group_stage()
    play_rounds(cup, 2)
    first = Standing.objects.select_related("seat__entry").get(group=groups[0], place=1)
    Entry.objects.filter(pk=first.seat.entry_id).update(status="gone", left_at=NOON)
    states = going_on(visitor.get("/cups/cup/"))["Group A"]
    assert states == [GoingOn.NO, GoingOn.SO_FAR, GoingOn.SO_FAR, GoingOn.NO]


def test_after_the_stage_those_who_have_a_seat_in_the_next_one_have_gone_on(visitor):
    cup, groups = group_stage()
    play_rounds(cup, 6)
    begin_knock_out(cup)
    second, third = Standing.objects.filter(group=groups[0], place__in=[2, 3]).order_by("place")
    Seat.objects.filter(stage__number=2, entry=second.seat.entry).update(entry=third.seat.entry)
    states = going_on(visitor.get("/cups/cup/?stage=1"))["Group A"]
    assert states == [GoingOn.YES, GoingOn.NO, GoingOn.YES, GoingOn.NO]


def test_the_best_of_the_next_rank_may_go_on(visitor):
    cup, _groups = group_stage(players=9, groups=3, advance={"first": 1, "best": 1})
    play_rounds(cup, 2)
    response = visitor.get("/cups/cup/")
    assert going_on(response)["Group C"] == [GoingOn.SO_FAR, GoingOn.PERHAPS, GoingOn.NO]
    assert "The first of each group and the best in 2nd place go on to the next stage" in words_of(response)
    assert "may go on as one of the best in this place" in words_of(response)


def test_above_a_share_of_the_points_everybody_goes_on(visitor):
    cup, groups = group_stage(players=4, groups=1, advance={"first": 0, "above_percent": 50})
    play_rounds(cup, 6)
    rows = list(Standing.objects.filter(group=groups[0]).order_by("place"))
    expected = [GoingOn.YES if row.points > 15 else GoingOn.NO for row in rows]
    assert GoingOn.YES in expected
    response = visitor.get("/cups/cup/?stage=1")
    assert [row.going_on for row in response.context["rows"]] == expected
    assert "All with more than 50 % of the possible points go on to the next stage" in words_of(response)


def test_a_bracket_to_come_says_where_its_players_come_from(visitor):
    group_stage()
    response = visitor.get("/cups/cup/?stage=2")
    assert boxes_in(response) == [
        "Winner of group A – Second of group B",
        "Second of group A – Winner of group B",
        "? – ?",
    ]
    assert "Its players come from the previous stage, Group stage." in words_of(response)
    assert "#tie-" not in response.content.decode()


@pytest.mark.parametrize("advance", [{"seeding": "rating"}, {"seeding": "draw"}, {"first": 0, "above_percent": 50}])
def test_a_bracket_to_come_has_a_sentence_where_only_the_results_tell_its_pairs(visitor, advance):
    group_stage(advance=advance)
    response = visitor.get("/cups/cup/?stage=2")
    assert "Its players come from the previous stage, Group stage." in words_of(response)
    assert boxes_in(response) == []


def test_the_best_of_a_rank_are_planned_without_their_group(visitor):
    group_stage(players=9, groups=3, advance={"first": 1, "best": 1})
    assert "Winner of group A – Best in place 2" in boxes_in(visitor.get("/cups/cup/?stage=2"))


def test_groups_to_come_list_where_their_players_come_from(visitor):
    cup, _groups = group_stage()
    second = Stage.objects.filter(competition=cup, number=2)
    second.update(format="round-robin", options={"cycles": 1}, grouping={"groups": 2, "size": None})
    response = visitor.get("/cups/cup/?stage=2")
    assert response.context["sources"] == [
        "Winner of group A",
        "Winner of group B",
        "Second of group A",
        "Second of group B",
    ]
    assert "Winner of group A" in words_of(response)


def test_a_player_who_has_not_gone_on_reads_so(client_of):
    cup, groups = group_stage()
    play_rounds(cup, 6)
    begin_knock_out(cup)
    last = Standing.objects.select_related("seat__entry__player").get(group=groups[1], place=4)
    page = words_of(client_of(last.seat.entry.player).get("/cups/cup/"))
    assert "You are out Group stage, Group B: your final place is 4." in page
    assert "Withdraw" not in page
    first = Standing.objects.select_related("seat__entry__player").get(group=groups[1], place=1)
    page = words_of(client_of(first.seat.entry.player).get("/cups/cup/"))
    assert ("your final place is" in page, "Withdraw" in page) == (False, True)
    before = client_of(first.seat.entry.player).get("/cups/cup/?stage=1")
    assert [card.is_mine for card in cards_in(before)] == [False, True]


def test_the_page_of_a_group_has_its_whole_table_its_rounds_and_matches(visitor):
    cup, groups = group_stage()
    play_rounds(cup, 2)
    response = visitor.get("/cups/cup/stages/1/groups/2/")
    entries = set(Seat.objects.filter(group=groups[1]).values_list("entry", flat=True))
    assert {row.row.entry.pk for row in response.context["rows"]} == entries
    assert len(response.context["crosstable"]) == 4
    assert response.context["shown_round"].number == 3
    assert {fixture.group for fixture in response.context["fixtures"]} == {groups[1]}
    assert [row.going_on for row in response.context["rows"]] == [GoingOn.SO_FAR] * 2 + [GoingOn.NO] * 2
    assert WHO_GOES_ON in words_of(response)
    assert "<h1>Group B</h1>" in response.content.decode()
    assert 'href="/cups/cup/?stage=1"' in response.content.decode()
    assert lost_references(response) == set()


def test_each_round_of_a_group_has_its_url(visitor):
    group_stage()
    response = visitor.get("/cups/cup/stages/1/groups/2/rounds/3/")
    assert response.context["shown_round"].number == 3
    assert [each.url for each in response.context["robin_rounds"]] == [
        f"/cups/cup/stages/1/groups/2/rounds/{number}/#round" for number in range(1, 7)
    ]


def test_the_short_url_of_a_round_leads_to_that_of_the_first_group(visitor):
    group_stage()
    response = visitor.get("/cups/cup/?round=3")
    assert (response.status_code, response["Location"]) == (302, "/cups/cup/stages/1/groups/1/rounds/3/#round")


def test_groups_and_rounds_that_the_page_of_the_cup_shows_as_a_whole_lead_there(visitor):
    cup, _groups = group_stage()
    play_rounds(cup, 6)
    begin_knock_out(cup)
    plain = make_cup(slug="plain", **ROUND_ROBIN)
    enter_all(plain, list(Player.objects.filter(username__startswith="player-")[:3]))
    start(plain)
    for path, target in {
        "/cups/cup/stages/2/groups/1/": "/cups/cup/?stage=2",
        "/cups/cup/stages/2/groups/1/rounds/2/": "/cups/cup/?stage=2#round-2",
        "/cups/plain/stages/1/groups/1/": "/cups/plain/",
        "/cups/plain/stages/1/groups/1/rounds/2/": "/cups/plain/?round=2#round",
    }.items():
        assert visitor.get(path)["Location"] == target
    assert 'id="round-2"' in visitor.get("/cups/cup/").content.decode()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("stages/3/groups/1/", "This competition has no stage 3."),
        ("stages/1/groups/9/", "Stage 1 of this competition has no group 9."),
        ("stages/1/groups/1/rounds/99/", "There is no such round in this competition."),
    ],
)
def test_there_is_no_page_of_what_there_is_not(visitor, path, sentence):
    group_stage()
    response = visitor.get(f"/cups/cup/{path}")
    assert response.status_code == 404
    assert sentence in words_of(response)


def test_a_stage_without_groups_is_shown_whole_and_its_pages_keep_the_stage(visitor):
    cup = make_stages(60, format="swiss", advance={"first": 8}, rounds=3)
    cup.stages.filter(number=1).update(grouping=None)
    cup.refresh_from_db()
    begin_groups(cup)
    response = visitor.get("/cups/cup/")
    assert [step.name for step in response.context["steps"]] == ["Swiss", "Knock-out"]
    assert len(response.context["rows"]) == 50
    assert 'href="?stage=1&amp;page=2"' in response.content.decode()
    assert "The first eight go on to the next stage" in words_of(response)
    assert "Place 1 – Place 8" in boxes_in(visitor.get("/cups/cup/?stage=2"))
    assert visitor.get("/cups/cup/stages/1/groups/1/").status_code == 200


def test_the_bracket_of_the_last_stage_is_drawn_from_its_own_group(visitor, client_of):
    cup, groups = group_stage()
    play_rounds(cup, 6)
    begin_knock_out(cup)
    decide_ties(cup)
    first = Standing.objects.select_related("seat__entry__player").get(group=groups[0], place=1)
    response = client_of(first.seat.entry.player).get("/cups/cup/")
    assert boxes_in(response)[0].startswith(f"{first.seat.entry.player.username} 5 – 0 ")
    assert [each.name for each in response.context["rounds"]] == ["Semi-finals", "Final"]


def test_many_groups_come_page_by_page_that_with_ones_own_first(visitor, client_of):
    _cup, groups = group_stage(players=80, groups=40)
    response = visitor.get("/cups/cup/")
    assert [card.group.number for card in cards_in(response)] == list(range(1, 17))
    assert 'href="?stage=1&amp;page=2"' in response.content.decode()
    own = Seat.objects.select_related("entry__player").filter(group=groups[39])[0].entry.player
    assert [card.group.number for card in cards_in(client_of(own).get("/cups/cup/"))] == list(range(33, 41))
    assert [card.group.number for card in cards_in(client_of(own).get("/cups/cup/?page=1"))] == list(range(1, 17))


def test_the_page_of_one_of_very_many_groups_links_to_those_beside_it(visitor):
    group_stage(players=120, groups=60)
    near = visitor.get("/cups/cup/stages/1/groups/58/").context["neighbours"]
    assert [group.number for group in near] == list(range(21, 61))


def test_brackets_side_by_side_show_who_is_in_them_without_sums(visitor):
    group_stage()
    Stage.objects.filter(number=1).update(format="knock-out", options={"legs": 1, "replays": 1, "third_place": False})
    response = visitor.get("/cups/cup/")
    assert "Knock-out in groups" in words_of(response)
    assert ("Goals" in words_of(response), "Bracket and matches" in words_of(response)) == (False, True)


@pytest.mark.parametrize(("players", "groups"), [(64, 2), (256, 64), *nightly_rows([(1024, 256)])])
def test_the_pages_of_a_group_stage_cost_the_same_however_large_it_is(players, groups, client_of, visitor, carla):
    group_stage(players=players, groups=groups)
    viewer = Entry.objects.select_related("player")[0].player
    for client in (client_of(viewer), client_of(carla), visitor):
        for path in ("/cups/cup/", "/cups/cup/?stage=2", "/cups/cup/stages/1/groups/1/"):
            assert cost(client, path) <= MAX_QUERIES, path


@pytest.mark.parametrize("players", [32, *nightly([128])])
def test_the_page_of_a_knock_out_after_groups_costs_the_same_however_large_it_is(players, client_of, visitor):
    cup, _groups = group_stage(players=players, groups=players // 4)
    play_rounds(cup, 6)
    begin_knock_out(cup)
    viewer = Entry.objects.select_related("player")[0].player
    for client in (client_of(viewer), visitor):
        assert cost(client, "/cups/cup/") <= MAX_QUERIES


def test_the_latest_group_of_nobody_is_no_trouble(visitor):
    cup, _groups = group_stage()
    Group.objects.filter(stage__competition=cup).update(started_at=None)
    assert visitor.get("/cups/cup/").status_code == 200
