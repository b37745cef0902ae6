"""Options are saved against the version that was read, and the log says from what to what, and why."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from players.models import Player
from rules_engine.values import Side
from tests.matches.test_races import race
from tests.pages.html import as_shown
from tests.tournaments.making.staff_form import ADD_CUP, change_url, fill_in, form_at
from tests.tournaments.making.test_draft_pages import CUP, keep, preview
from tests.tournaments.verbs import NOON, last_log, make_cup, make_ladder, running, start_cup
from tournaments.decisions.services.fixture_decisions import extend_clock
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.desk.acts import ACTS
from tournaments.making.services.competitions import change_competition
from tournaments.models import Competition, Cup, LogEntry
from tournaments.office.errors import OptionsChanged
from tournaments.office.services.organisers import change_organisers

pytestmark = pytest.mark.django_db

EDITED = CUP | {"name": "Summer", "knock-out-legs": 1, "reason": "We have one evening."}


def changes(competition):
    """Return from what to what the latest line says."""
    line = LogEntry.objects.filter(competition_id=competition.pk)[0]
    return [(each["what"], each["old"], each["new"]) for each in line.changes]


def rename(cup, actor, name, version=None):
    cup.name = name
    change_competition(
        competition=cup, stage=cup.first_stage, changed={"name"}, actor=actor, version=version, now=timezone.now()
    )


@pytest.fixture
def draft(olga, mia):
    cup = make_cup(name="Spring", creator=mia, status="draft")
    cup.refresh_from_db()
    cup.organisers.add(olga, mia)
    return cup


def test_the_log_says_from_what_to_what_and_why(client_of, mia, draft):
    client = client_of(mia)
    edit = f"{draft.get_absolute_url()}organise/edit/"
    assert keep(client, EDITED | {"version": 0, "pace": "slow"}, edit).status_code == 302
    assert last_log(draft) == ("mia", "changed", "legs, name", "We have one evening.")
    assert changes(draft) == [("legs", "2", "1"), ("name", "Spring", "Summer")]
    (line, *_others) = client.get(f"/api/v1/competitions/{draft.slug}/log/").json()["results"]
    assert line["changes"][1] == {"what": "name", "old": "Spring", "new": "Summer"}
    page = client.get(f"{draft.get_absolute_url()}log/").content.decode()
    assert "Name: from <q>Spring</q> to <q>Summer</q>" in page
    assert "We have one evening." in page


def test_a_page_that_is_behind_saves_nothing_and_says_who_changed_what(client_of, olga, mia, draft):
    client = client_of(mia)
    edit = f"{draft.get_absolute_url()}organise/edit/"
    version = client.get(edit).context["form"]["version"].value()
    seen = preview(client, EDITED | {"version": version}, edit)[0].context["seen"]
    rename(draft, olga, "Autumn")
    refused = client.post(edit, EDITED | {"version": version, "keep": "1", "seen": seen})
    assert refused.status_code == 409
    assert "olga changed this since you read the options: name (from Spring to Autumn)" in refused.content.decode()
    assert f'href="{edit}"' in refused.content.decode()
    assert Competition.objects.get(pk=draft.pk).name == "Autumn"
    assert client.get(edit).context["form"]["version"].value() == version + 1


def test_the_api_takes_the_version_that_was_read(client_of, olga, mia, draft):
    client, path = client_of(mia), f"/api/v1/competitions/{draft.slug}/"
    version = client.get(path).json()["version"]
    rename(draft, olga, "Autumn")

    def patch(**body):
        return client.patch(path, {"name": "Summer", **body}, content_type="application/json")

    refused = patch(version=version)
    assert (refused.status_code, refused.json()["code"]) == (409, "options_changed")
    assert "name (from Spring to Autumn)" in refused.json()["detail"]
    edited = patch(version=version + 1, reason="Warmer.")
    assert (edited.status_code, edited.json()["version"], edited.json()["name"]) == (200, version + 2, "Summer")
    assert last_log(draft) == ("mia", "changed", "name", "Warmer.")


def test_the_admin_saves_against_the_version_that_was_read(client_of, olga, boss):
    cup = make_cup(organiser=olga)
    url = change_url(cup)
    sent = as_shown(form_at(client_of(olga), url)) | {"description": "Mine"}
    rename(Cup.objects.get(pk=cup.pk), boss, "Autumn")
    refused = client_of(olga).post(url, sent)
    assert list(refused.context["adminform"].form.errors) == ["__all__"]
    assert "boss changed this since you read the options" in refused.content.decode()
    assert Cup.objects.get().description == ""
    fill_in(client_of(olga), url, description="Mine", reason="Rain.")
    assert last_log(cup) == ("olga", "changed", "description", "Rain.")


def test_organisers_are_part_of_the_version(olga, mia, otto, draft):
    change_organisers(competition=draft, organisers=[mia, olga, otto], actor=olga, now=NOON)
    assert changes(draft) == [("organisers", "mia, olga", "mia, olga, otto")]
    with pytest.raises(OptionsChanged, match=r"olga changed this .* organisers \(from mia, olga to mia, olga, otto\)"):
        rename(draft, olga, "Autumn", version=0)


def test_two_of_three_changes_are_named_with_the_players_who_made_them(olga, mia, draft):
    rename(draft, mia, "One")
    rename(draft, olga, "Two")
    rename(draft, mia, "Three")
    with pytest.raises(OptionsChanged) as refused:
        rename(draft, olga, "Four", version=1)
    assert "mia and olga changed this" in str(refused.value)
    assert "from Spring" not in str(refused.value)


def test_no_value_of_a_password_is_in_the_log(client_of, olga):
    client = client_of(olga)
    fill_in(client, ADD_CUP)
    cup = Cup.objects.get()
    fill_in(client, change_url(cup), entry="password", new_password="open sesame")
    assert changes(cup) == [("password", "none", "set")]
    fill_in(client, change_url(cup), new_password="close sesame")
    assert changes(cup) == [("password", "set", "another one")]


def test_a_long_value_is_cut(olga, draft):
    draft.description = "long " * 800
    change_competition(
        competition=draft, stage=draft.first_stage, changed={"description"}, actor=olga, now=timezone.now()
    )
    ((what, old, new),) = changes(draft)
    assert (what, old, len(new), new[-1]) == ("description", "none", 200, "…")


def test_clocks_and_deadlines_say_from_what_to_what(olga):
    cup, _entries = start_cup(2, legs=1, round_days=7, organiser=olga)
    fixture = running(cup)[0]
    side, begun = Side(fixture.match.side), fixture.match.turn_started_at
    by, later = timedelta(hours=24), begun + timedelta(hours=30)
    extend_clock(fixture_id=fixture.pk, side=side, by=by, actor=olga, reason="Ill.", now=later)
    player = fixture.yellow if side is Side.YELLOW else fixture.red
    assert changes(cup) == [(f"time of {player}", "8 d 18 h", "9 d 18 h")]
    set_round_date(round=fixture.round, ends_at=None, actor=olga, reason="No hurry.", now=later)
    ((what, old, new),) = changes(cup)
    assert (what, "2026" in old, new, last_log(cup)[3]) == ("deadline", True, "none", "No hurry.")


def test_every_act_takes_a_reason_or_is_a_text_itself():
    # Pinning only says where an announcement stands, and is no line of the log. A text says why by itself.
    silent = [act.operation for act in ACTS if not {"reason", "text"} & act.inputs.keys()]
    texts = ["take_down_log_text", "put_up_log_text"]
    assert silent == ["pin_announcement", "unpin_announcement", *texts]


def test_ladders_say_what_changes_too(olga):
    ladder = make_ladder(time_bank=600, time_increment=0, time_cap=600)
    ladder.time_bank = ladder.time_cap = 864000
    changed = {"time_bank", "time_cap"}
    change_competition(competition=ladder, stage=ladder.first_stage, changed=changed, actor=olga, now=NOON)
    assert changes(ladder) == [
        ("time to start with", "10 minutes", "10 days"),
        ("most time on a clock", "10 minutes", "10 days"),
    ]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told_what_the_other_changed():
    boss, mate = (Player.objects.create(username=name, is_superuser=True) for name in ("boss", "mate"))
    cup = make_cup()
    for version in range(4):
        mine, others = Cup.objects.get(), Cup.objects.get()
        results = race(
            partial(rename, mine, boss, f"Mine {version}", version),
            partial(rename, others, mate, f"Theirs {version}", version),
        )
        assert sorted(results) == ["ok", "options_changed"]
        winner = "Mine" if results[0] == "ok" else "Theirs"
        assert (Cup.objects.get().name, Cup.objects.get().options_version) == (f"{winner} {version}", version + 1)
    assert cup.log.filter(action="changed").count() == 4
