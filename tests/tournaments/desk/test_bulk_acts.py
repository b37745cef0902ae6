"""Acts on several matches or players at once: each by itself, once, with what was refused and why."""

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone
from zeal import zeal_ignore

from matches.models import Match
from tests.matches.test_queries import queries_of
from tests.tournaments.verbs import ROUND_ROBIN, end, last_log, move_in, running, start_cup
from tournaments.decisions.services.fixture_decisions import extend_clock_to_move
from tournaments.desk.acts import ACTS, get_act
from tournaments.models import Competition, Entry, EntryStatus, Fixture, LogEntry
from tournaments.office.errors import NotAnOrganiser
from web.api.idempotency.responses import Answer
from web.api.idempotency.steps import respond_in_steps
from web.errors import IdempotencyKeyReused
from web.models import IdempotentResponse

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

API, PAGES = "/api/v1/competitions/cup/", "/cups/cup/organise/"
WHY = {"reason": "The hall is closed."}


@pytest.fixture
def cup(olga):
    """Return a round robin of four that has begun now."""
    clock: dict[str, Any] = {"time_bank": 3600, "time_increment": 0, "time_cap": 7200}
    cup, _entries = start_cup(4, now=timezone.now(), **ROUND_ROBIN, **clock, organiser=olga)
    return cup


def post(client, path, body, **headers):
    # Each of several is read and changed by itself, so that the same queries come again.
    with zeal_ignore():
        return client.post(API + path, body, content_type="application/json", headers=headers)


def send(client, path, sent):
    with zeal_ignore():
        return client.post(PAGES + path, sent)


def outcomes(response):
    return [(each["id"], each["code"]) for each in response.json()["results"]]


def keys(fixtures):
    return [fixture.pk for fixture in fixtures]


def test_an_act_that_is_refused_stops_no_other_and_says_why(client, cup):
    first, second, *_others = running(cup)
    end(first, None, timezone.now())
    answer = post(client, "fixtures/extend/", WHY | {"fixtures": [first.pk, 999_999, second.pk], "seconds": 60})
    assert answer.status_code == 200
    assert outcomes(answer) == [(first.pk, "match_over"), (999_999, "not_found"), (second.pk, None)]
    assert answer.json()["results"][0]["detail"] == "The match is over."
    assert [line.action for line in LogEntry.objects.filter(action="extended")] == ["extended"]


def test_the_same_request_is_done_once(client, cup):
    body = WHY | {"fixtures": keys(running(cup)), "seconds": 60}
    answers = [post(client, "fixtures/extend/", body, idempotency_key="once") for _again in range(2)]
    assert answers[0].json() == answers[1].json()
    assert LogEntry.objects.filter(action="extended").count() == len(running(cup))
    assert {code for _id, code in outcomes(answers[0])} == {None}


def test_matches_are_lost_by_the_player_to_move_or_decided_by_their_score(client, cup):
    first, second, *_others = running(cup)
    late = first.yellow if first.match.side == "yellow" else first.red
    post(client, "fixtures/adjudicate/", WHY | {"fixtures": [first.pk], "policy": "forfeit"})
    post(client, "fixtures/adjudicate/", WHY | {"fixtures": [second.pk], "policy": "adjudicate"})
    lost, level = (Fixture.objects.select_related("match").get(pk=each.pk).match.outcome for each in (first, second))
    assert (lost.winner, level.winner) == ("red" if late == first.yellow else "yellow", None)


def test_matches_are_paused_and_resumed_together_each_by_itself(client, cup):
    first, second, third, *_others = running(cup)
    end(third, None, timezone.now())
    chosen = keys([first, second, third])
    done = send(client, "fixtures/pause/", WHY | {"chosen": chosen, "key": "pause"})
    assert [(each["is_done"], each["code"]) for each in done.context["outcomes"]] == [
        (True, None),
        (True, None),
        (False, "match_over"),
    ]
    assert Match.objects.filter(paused_at__isnull=False).count() == 2
    page = client.get(f"{PAGES}fixtures/resume/", {"chosen": chosen}).content.decode()
    assert page.count("to move, paused for") == 2
    answer = post(client, "fixtures/resume/", WHY | {"fixtures": [first.pk, running(cup)[-1].pk]})
    assert outcomes(answer) == [(first.pk, None), (running(cup)[-1].pk, "match_not_paused")]
    assert list(Match.objects.filter(paused_at__isnull=False)) == [second.match]


def test_a_page_previews_and_does_it_once(client, cup):
    chosen = keys(running(cup))[:2]
    asked = client.get(f"{PAGES}fixtures/extend/", {"chosen": chosen})
    page = asked.content.decode()
    assert all(f'value="{key}" checked' in " ".join(page.split()) for key in chosen)
    assert page.count("to move for") == 2
    sent = WHY | {"chosen": chosen, "by": "0.25", "key": asked.context["key"]}
    for _again in range(2):
        done = send(client, "fixtures/extend/", sent)
        assert (done.status_code, "All 2 done" in done.content.decode()) == (200, True)
    assert LogEntry.objects.filter(action="extended").count() == 2
    assert last_log(cup)[3] == WHY["reason"]


def test_the_preview_says_of_each_what_follows_or_why_it_is_refused(client, cup, settings):
    first, second, third, *_others = running(cup)
    move_in(first, timezone.now())
    Fixture.objects.filter(pk=third.pk).update(is_annulled=True)
    path, chosen = f"{PAGES}fixtures/annul/", keys([first, second, third])

    def shown():
        with zeal_ignore():
            return client.get(path, {"chosen": chosen})

    alone = [client.get(f"{PAGES}fixtures/{key}/annul/").context["follows"] for key in chosen[:2]]
    each = shown().context["chosen"]
    assert [row.follows for row in each[:2]] == [follows.sentences for follows in alone]
    assert (each[2].follows, each[2].refusal) == ((), "This match has already been annulled.")
    assert "This match has already been annulled." in shown().content.decode()
    settings.MAX_FORESEEN_ROWS = 1
    assert [row.is_foreseen for row in shown().context["chosen"]] == [True, False, False]
    assert "The consequences are shown for 1 only." in " ".join(shown().content.decode().split())
    assert Fixture.objects.filter(is_annulled=True).count() == 1


def test_a_withdrawn_entrant_loses_matches_that_the_preview_names(client, cup):
    entry = Entry.objects.filter(competition=cup).first()
    with zeal_ignore():
        (row,) = client.get(f"{PAGES}entries/withdraw/", {"chosen": [entry.pk]}).context["chosen"]
    (sentence,) = row.follows
    assert sentence.startswith(f"{entry} loses 3 unfinished matches by forfeit: ")
    assert client.get(f"{API}entries/{entry.pk}/withdraw/preview/").json()["sentences"] == [sentence]
    Competition.objects.update(status="open")
    assert client.get(f"{PAGES}entries/{entry.pk}/withdraw/").context["follows"].sentences == [
        f"{entry} is removed from the list."
    ]


def test_the_preview_says_who_would_win_by_each_rule(client, cup):
    fixture = running(cup)[0]
    late = fixture.yellow if fixture.match.side == "yellow" else fixture.red
    other = fixture.red if late == fixture.yellow else fixture.yellow
    page = " ".join(client.get(f"{PAGES}fixtures/adjudicate/", {"chosen": [fixture.pk]}).content.decode().split())
    assert f"If decided by the score: nobody wins. If the player to move loses: {other} wins. {late} to move" in page


def test_acts_that_are_done_stay_done_when_the_process_dies_and_the_rest_follows(client, cup, monkeypatch):
    first, second, third = keys(running(cup))[:3]
    act = get_act("fixtures", "extend")
    died: list[int] = []

    def die_once(*, fixture_id, **about):
        if fixture_id == second and not died:
            died.append(fixture_id)
            raise SystemExit
        return extend_clock_to_move(fixture_id=fixture_id, **about)

    monkeypatch.setattr(act.bulk.__class__, "service", property(lambda _self: die_once), raising=False)
    body = WHY | {"fixtures": [first, second, third], "seconds": 60}
    with pytest.raises(SystemExit):
        post(client, "fixtures/extend/", body, idempotency_key="once")
    assert LogEntry.objects.filter(action="extended").count() == 1
    with pytest.raises(IdempotencyKeyReused):
        respond_in_steps(
            player_id=cup.organisers.get().pk, key="once", fingerprint="other", now=timezone.now(), answer=None
        )
    answer = post(client, "fixtures/extend/", body, idempotency_key="once")
    assert outcomes(answer) == [(first, None), (second, None), (third, None)]
    assert LogEntry.objects.filter(action="extended").count() == 3
    assert post(client, "fixtures/extend/", body, idempotency_key="once").json() == answer.json()
    assert LogEntry.objects.filter(action="extended").count() == 3


def test_a_request_that_was_refused_as_a_whole_leaves_its_key_for_another(client, cup, settings):
    settings.MAX_BULK_ROWS = 1
    first, second = keys(running(cup))[:2]
    body = WHY | {"fixtures": [first, second], "seconds": 60}
    for refused in (body, body | {"seconds": "soon"}, body | {"reason": "x" * 10_000}):
        assert post(client, "fixtures/extend/", refused, idempotency_key="once").status_code == 400
    assert post(client, "fixtures/annul/", WHY, idempotency_key="once").status_code == 400
    assert post(client, "../no-cup/fixtures/extend/", body, idempotency_key="once").status_code == 404
    assert post(client, "fixtures/extend/", body | {"fixtures": [first]}, idempotency_key="once").status_code == 200


def test_a_refusal_does_not_forget_what_another_request_with_the_key_has_done(olga):
    done = {"player_id": olga.pk, "key": "once", "fingerprint": "same", "now": timezone.now()}

    def lose(_steps):
        IdempotentResponse.objects.update(status=200, body="[1]")
        raise NotAnOrganiser("Not any more.")

    with pytest.raises(NotAnOrganiser):
        respond_in_steps(**done, answer=lose)
    assert respond_in_steps(**done, answer=None).body == "[1]"


def test_a_key_that_another_request_gives_back_while_it_is_asked_for_is_taken(olga, monkeypatch):
    create = QuerySet.create
    refused: list[str] = []

    def lose_once(self, **about):
        if not refused:
            refused.append(about["key"])
            raise IntegrityError("another request has the key, and gives it back")
        return create(self, **about)

    monkeypatch.setattr(QuerySet, "create", lose_once)
    given = respond_in_steps(
        player_id=olga.pk, key="once", fingerprint="same", now=timezone.now(), answer=lambda _steps: Answer(200, "[1]")
    )
    assert (given.body, refused) == ("[1]", ["once"])


def test_a_page_names_what_was_refused(client, cup):
    gone, stays = Entry.objects.filter(competition=cup)[:2]
    Entry.objects.filter(pk=gone.pk).update(status=EntryStatus.GONE)
    asked = client.get(f"{PAGES}entries/withdraw/", {"chosen": [gone.pk, stays.pk]})
    done = send(client, "entries/withdraw/", WHY | {"chosen": [gone.pk, stays.pk], "key": asked.context["key"]})
    words = " ".join(done.content.decode().split())
    assert ("1 of 2 refused" in words, "entry_over" in words) == (True, False)
    assert Entry.objects.get(pk=stays.pk).status == EntryStatus.GONE


def test_the_lists_have_check_boxes_for_what_can_be_done_to_several(client, cup):
    for path, act in (("fixtures/", "fixtures/adjudicate/"), ("entries/", "entries/withdraw/")):
        page = client.get(PAGES + path).content.decode()
        assert ('name="chosen"' in page, f'formaction="{PAGES}{act}"' in page) == (True, True)
    assert 'name="chosen"' not in client.get(f"{PAGES}fixtures/?state=ended").content.decode()


def test_nothing_chosen_or_too_much_is_refused(client, cup, settings):
    settings.MAX_BULK_ROWS = 2
    assert client.get(f"{PAGES}fixtures/extend/").url == f"{PAGES}fixtures/"
    chosen = [*keys(running(cup))[:3], 10**6, 10**6 + 1]
    assert client.get(f"{PAGES}fixtures/extend/", {"chosen": chosen}).status_code == 400
    refused = post(client, "fixtures/extend/", WHY | {"fixtures": chosen, "seconds": 60})
    assert (refused.status_code, refused.json()["code"]) == (400, "too_many_rows")
    assert post(client, "fixtures/extend/", WHY | {"fixtures": [], "seconds": 60}).status_code == 400
    assert not LogEntry.objects.filter(action="extended").exists()


def test_a_preview_costs_the_same_for_many(client, cup):
    chosen = keys(Fixture.objects.filter(competition=cup))
    costs = [
        len(queries_of(partial(client.get, f"{PAGES}fixtures/adjudicate/", {"chosen": keys_of})))
        for keys_of in (chosen[:1], chosen)
    ]
    assert costs[0] == costs[1]


def test_acts_on_one_alone_have_no_page_for_several(client, cup):
    assert client.get(f"{PAGES}fixtures/replay/?chosen=1").status_code == 404
    assert {act.bulk.operation for act in ACTS if act.bulk} == {
        "check_in_entries",
        "withdraw_entries",
        "adjudicate_fixtures",
        "extend_clocks",
        "annul_fixtures",
        "pause_fixtures",
        "resume_fixtures",
    }
