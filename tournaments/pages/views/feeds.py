"""The feed of a competition: its log and its results, for programs that follow many sites."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import F, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.models import SITTING, Competition, Fixture, LogEntry
from tournaments.office.selectors.changes import listed_lines
from tournaments.office.sentences import competition_format_text
from tournaments.office.stage_names import name_round
from tournaments.office.views import find_competition
from tournaments.pages.sentences import action_name, interest_text
from tournaments.records.groups import group_of
from tournaments.rounds.sentences import reason_of
from web.requests.conditional import with_etag
from web.storable_text import printable

_UNCORRECTED = LogEntry.objects.filter(match=OuterRef("match"), action="correction-undone").order_by("-pk")


def latest_news(competition: Competition, *, limit: int) -> list[LogEntry | Fixture]:
    """Return the latest lines of the log and results that count, the latest first. Two queries."""
    log = listed_lines(competition)
    results = (
        Fixture.objects.filter(competition_id=competition.pk, finished_at__isnull=False, is_annulled=False)
        .exclude(counted_at=None)
        .select_related(*SITTING, "round__group__stage", "correction")
        .annotate(uncorrected_at=Subquery(_UNCORRECTED.values("logged_at")[:1]))
        .order_by(F("finished_at").desc(), "-pk")
    )
    if competition.is_endless:
        # It has one group, by which an index leads to the latest.
        results = results.filter(group=group_of(competition))
    news: list[LogEntry | Fixture] = [*log[:limit], *results[:limit]]
    return sorted(news, key=_order, reverse=True)[:limit]


def _order(news: LogEntry | Fixture) -> tuple[datetime | None, bool, int]:
    if isinstance(news, LogEntry):
        return news.logged_at, False, news.pk
    return news.finished_at, True, news.pk


News = LogEntry | Fixture


class CompetitionFeed(Feed):
    """A feed of a competition as Atom: its announcements, acts and matches, the latest first."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Competition:
        """Return the competition that the URL names. Raises ``CompetitionNotFound``."""
        return find_competition(kwargs["kind"], kwargs["slug"], current_player(request))

    def title(self, obj: Competition) -> str:
        """Return the competition's name."""
        return printable(obj.name)

    def subtitle(self, obj: Competition) -> str:
        """Return how it is played."""
        return competition_format_text(obj)

    def link(self, obj: Competition) -> str:
        """Return its page."""
        return obj.get_absolute_url()

    def feed_guid(self, obj: Competition) -> str:
        """Return what the feed keeps as its name."""
        return f"{settings.SITE_URL}{obj.get_absolute_url()}"

    def items(self, obj: Competition) -> list[News]:
        """Return the latest news."""
        news = latest_news(obj, limit=settings.MAX_FEED_ITEMS)
        for each in news:
            each.competition = obj
        return news

    def item_title(self, item: News) -> str:
        """Return what was done and to whom, or who met whom with which result."""
        if isinstance(item, Fixture):
            return _result(item)
        name = capfirst(str(action_name(item.action)))
        return printable(f"{name}: {item.subject}" if item.subject else name)

    def item_description(self, item: News) -> str:
        """Return why it was done and by whom, or the round and worth of a result, as HTML of which nothing is ours."""
        text = _worth(item) if isinstance(item, Fixture) else _reason(item)
        return linebreaks(printable(str(text)), autoescape=True) if text else ""

    def item_link(self, item: News) -> str:
        """Return the page of the match, or that of the log."""
        if isinstance(item, Fixture):
            return (
                item.competition.get_absolute_url() if item.match_id is None else reverse("match", args=[item.match_id])
            )
        return reverse(f"{item.competition.kind}-log", args=[item.competition.slug])

    def item_guid(self, item: News) -> str:
        """Return what the item keeps as its name."""
        what = "result" if isinstance(item, Fixture) else "log"
        return f"{settings.SITE_URL}{item.competition.get_absolute_url()}#{what}-{item.pk}"

    def item_pubdate(self, item: News) -> datetime | None:
        """Return when it was done, or when the match ended."""
        return item.finished_at if isinstance(item, Fixture) else item.logged_at

    def item_updateddate(self, item: News) -> datetime | None:
        """Return when it was done, or since when the result counts: a correction, or its taking back, or the end."""
        if isinstance(item, LogEntry):
            return item.logged_at
        corrected_at = None if item.correction is None else item.correction.decided_at
        known = (item.finished_at, corrected_at, vars(item)["uncorrected_at"])
        return max((each for each in known if each is not None), default=None)

    def item_author_name(self, item: News) -> str:
        """Return who did it."""
        actor = item.actor if isinstance(item, LogEntry) else None
        return actor.username if actor else "Kickabout"


_feed = CompetitionFeed()


@require_safe
def competition_feed(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the feed of the ladder or cup."""
    return with_etag(request, _feed(request, kind=kind, slug=slug))


def _reason(line: LogEntry) -> str:
    return "\n".join(filter(None, (str(reason_of(line, line.competition)), interest_text(line))))


def _result(fixture: Fixture) -> str:
    goals = fixture.goals
    score = f"{goals.yellow}–{goals.red}" if goals else "–"
    return f"{fixture.yellow_name} {score} {fixture.red_name}"


def _worth(fixture: Fixture) -> str:
    points = fixture.points
    worth = _("Match points: %(points)s") % {"points": f"{points.yellow}–{points.red}"} if points else ""
    decided = _("By decision.") if fixture.by_decision else ""
    return "\n".join(filter(None, (name_round(fixture.round) if fixture.round else "", worth, decided)))
