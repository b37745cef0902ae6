"""The whole admin in a real browser, under the policy that all pages have: nothing is blocked, nothing fails."""

import re
from datetime import timedelta
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from matches.models import SitePause
from players.models import ApiToken, Delivery, DeliveryState, MailKind, Player
from players.services import create_token
from rules_engine.values import Side
from tests.marks import nightly
from tests.matches.analysed import store_analysis
from tests.matches.play import move_both
from tests.tournaments import verbs
from tests.tournaments.verbs import ROUND_ROBIN
from tournaments.making.services.series import make_series
from tournaments.models import Cup, Dispute, EntryInvitation, FormerText, LineUp, RoleInvitation
from tournaments.models.rights import Role
from tournaments.models.season_dates import Rhythm
from tournaments.tables.services.ratings import rate_pending
from tournaments.teams.services.teams import found_team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LISTS = [
    "auth/group",
    "matches/match",
    "matches/matchanalysis",
    "matches/sitepause",
    "players/apitoken",
    "players/delivery",
    "players/player",
    "players/rating",
    "tournaments/correction",
    "tournaments/dispute",
    "tournaments/cup",
    "tournaments/entry",
    "tournaments/entryinvitation",
    "tournaments/fixture",
    "tournaments/formertext",
    "tournaments/ladder",
    "tournaments/lineup",
    "tournaments/logentry",
    "tournaments/placechange",
    "tournaments/ratingchange",
    "tournaments/roleinvitation",
    "tournaments/round",
    "tournaments/series",
    "tournaments/standing",
    "tournaments/team",
    "tournaments/teammembership",
    "tournaments/tie",
]


@pytest.fixture
def boss(transactional_db: None) -> Player:
    return Player.objects.create(username="boss", is_staff=True, is_superuser=True)


@pytest.fixture
def cup(boss: Player) -> Cup:
    """Return a cup with matches, and something in every other list."""
    now = timezone.now()
    cup, _entries = verbs.start_cup(4, legs=1)
    robin = verbs.make_cup(slug="robin", name="Robin", **ROUND_ROBIN)
    verbs.enter_all(robin, verbs.make_players(3, "robin"))
    verbs.start(robin)
    for fixture in verbs.running(robin)[:2]:
        move_both(fixture.match)
        verbs.end(fixture, Side.RED, now)
        store_analysis(fixture.match)
    verbs.settle_all(now)
    verbs.recompute_tables(competition_id=robin.pk, now=now)
    rate_pending(family="streetsoccer", now=now)
    over = robin.fixtures.exclude(counted_at=None)
    verbs.correct(over.earliest("pk"), Side.YELLOW, boss)
    Dispute.objects.create(fixture=over.latest("pk"), player=boss, text="No.", disputed_at=now, result_at=now)
    ladder = verbs.make_ladder()
    verbs.enter_all(ladder, verbs.make_players(2, "ladder"))
    make_series(competition=robin, options={"rhythm": Rhythm.MONTHLY}, actor=boss, now=now)
    EntryInvitation.objects.create(competition=ladder, player=boss, created_at=now, asked_at=now)
    RoleInvitation.objects.create(competition=ladder, player=boss, role=Role.HELPER, invited_by=boss, created_at=now)
    LineUp.objects.create(entry=cup.entries.earliest("pk"), players=[boss.pk], set_by=boss, set_at=now)
    found_team(name="Foxes", pattern="hoops", first_colour="red", second_colour="white", captain=boss, now=now)
    line = cup.log.earliest("pk")
    FormerText.objects.create(line=line, text="Wrong.", replaced_by=boss, replaced_at=now)
    Group.objects.create(name="helpers")
    SitePause.objects.create(begins_at=now - timedelta(hours=1), ends_at=now, noted_at=now, completed_at=now)
    create_token(player=boss, name="bot", scopes=["read"], now=now)
    Delivery.objects.create(
        player=boss,
        kind=MailKind.TURN,
        key="x",
        state=DeliveryState.FAILED,
        attempts=9,
        last_error="nobody there",
        created_at=now,
        next_attempt_at=now,
    )
    return cup


def urls(page: Page, links: str) -> list[str]:
    """Return where the links lead."""
    return page.locator(links).evaluate_all("links => links.map(link => link.href)")


def visit(page: Page, url: str) -> None:
    """Open a page of the admin, which must be there and not be wider than the window."""
    response = page.goto(url)
    assert response is not None
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert (url, response.status, width) == (url, 200, 0)


@pytest.mark.parametrize("visits_all", [False, *nightly([True])], ids=["lists", "all"])
def test_every_list_with_its_filters_and_rows_is_shown_whole(cup, boss, open_page, complaints, visits_all):
    page, client = open_page(boss, "/admin/"), Client()
    client.force_login(boss)

    def ask_for(url: str) -> None:
        """Visit a page that is much like that of another list at night; on other days it must be there."""
        if visits_all:
            visit(page, url)
        else:
            response = client.get(urlsplit(url)._replace(scheme="", netloc="").geturl())
            assert (url, response.status_code) == (url, 200)

    visit(page, "/admin/")
    listed = {re.sub(r".*/admin/(\w+/\w+)/.*", r"\1", each) for each in urls(page, "th[scope=row] a")}
    assert listed == set(LISTS)
    for path in LISTS:
        visit(page, f"/admin/{path}/")
        row = urls(page, "#result_list tbody th a")[0]
        # All filters of a list are drawn alike; which rows they leave is asked without a browser.
        for url in urls(page, "#changelist-filter li:last-child a")[:1]:
            ask_for(url)
        ask_for(urljoin(row, "../history/"))
        visit(page, row)
        for url in urls(page, "a.deletelink"):
            ask_for(url)
    visit(page, "/admin/players/player/?q=boss")
    assert complaints == []


def test_the_admins_scripts_do_their_work(cup, boss, open_page, complaints):
    page = open_page(boss, f"/admin/players/player/{boss.pk}/change/")
    page.locator("#id_groups_from").select_option("helpers")
    page.locator("#id_groups_add").click()
    expect(page.locator("#id_groups_to option")).to_have_text(["helpers"])
    with page.expect_popup() as opened:
        page.locator("#add_id_groups").click()
    opened.value.on("pageerror", lambda error: complaints.append(str(error)))
    opened.value.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    opened.value.locator("#id_name").fill("others")
    opened.value.get_by_role("button", name="Save").click()
    expect(page.locator("#id_groups_to option")).to_have_text(["helpers", "others"])
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert sorted(boss.groups.values_list("name", flat=True)) == ["helpers", "others"]
    assert complaints == []


def test_actions_are_chosen_asked_for_and_done(cup, boss, open_page, complaints):
    page = open_page(boss, "/admin/players/delivery/")
    page.locator("#action-toggle").check()
    page.get_by_label("Action:").select_option("send_again")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_text("1 e-mail will be sent.")).to_be_visible()

    page.goto("/admin/players/apitoken/")
    page.locator("#action-toggle").check()
    page.get_by_label("Action:").select_option("delete_selected")
    page.get_by_role("button", name="Go").click()
    page.get_by_role("button", name=re.compile("sure")).click()
    expect(page.get_by_text("Successfully deleted 1 API token.")).to_be_visible()
    assert not ApiToken.objects.exists()
    assert complaints == []


def test_the_way_in_is_the_sites_own(boss, open_page, complaints):
    boss.set_password("correct horse 7")
    boss.save()
    page = open_page(None, "/admin/tournaments/cup/")
    page.get_by_label("Username").fill("boss")
    page.get_by_label("Password").fill("correct horse 7")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Select cup to change")).to_be_visible()
    assert complaints == []


def test_the_browser_would_complain_of_a_breach_of_the_policy(boss, open_page, complaints):
    page = open_page(boss, "/admin/")
    with page.expect_console_message():
        page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert [text for text in complaints if "Content Security Policy" in text]
