"""Notify players and organisers by mail of news in their competitions, and of new matches.

The log entry, or the fixture, is the row to notify them of; ``is_notified`` changes in one transaction
with the outbox.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.games import find_game
from players.mail_links import absolute
from players.models import MailKind, Player
from players.services.mail_writers import writes
from players.services.outbox import Letter, post
from rules_engine.values import Side
from tournaments.models import Competition, Fixture, LogEntry
from tournaments.running.selectors.notifications import (
    begun_fixtures,
    hearers_of,
    lock_fixtures_to_notify,
    lock_log_lines_to_notify,
)
from tournaments.running.services.news import log_news
from tournaments.running.services.news_texts import News, write_line

BATCH = 500
MAX_LINES = 100


def send_news(*, now: datetime) -> int:
    """Notify players and organisers of what has happened since the last call; return how many mails they will get.

    Everybody gets one mail about all of their competitions and of their matches that have begun, and another one about
    those that they organise.
    """
    log_news(now=now)
    posted, are_left = 0, True
    while are_left:
        with transaction.atomic():
            lines = lock_log_lines_to_notify(limit=MAX_LINES)
            fixtures = lock_fixtures_to_notify(limit=BATCH)
            if lines or fixtures:
                LogEntry.objects.filter(pk__in=[line.pk for line in lines]).update(is_notified=True)
                Fixture.objects.filter(pk__in=[fixture.pk for fixture in fixtures]).update(is_notified=True)
                posted += post(letters=_letters(lines, fixtures), now=now)
        are_left = len(lines) == MAX_LINES or len(fixtures) == BATCH
    return posted


def _letters(lines: list[LogEntry], fixtures: list[Fixture]) -> Iterable[Letter]:
    """Yield a letter for each player, and for each organiser, about all of these that concern them."""
    about: dict[tuple[MailKind, int], dict[str, list[int]]] = defaultdict(lambda: {"lines": [], "fixtures": []})
    hearers = hearers_of(lines=lines)
    for line in lines:
        for player_id in hearers[line.pk].players:
            about[MailKind.COMPETITION, player_id]["lines"].append(line.pk)
        for player_id in hearers[line.pk].organisers:
            about[MailKind.ORGANISING, player_id]["lines"].append(line.pk)
    for fixture in fixtures:
        for own_id in fixture.player_ids:
            if own_id is not None:
                about[MailKind.COMPETITION, own_id]["fixtures"].append(fixture.pk)
    for (kind, player_id), own in about.items():
        # Each row is notified of once, so the first one names the mail.
        first = f"line-{own['lines'][0]}" if own["lines"] else f"fixture-{own['fixtures'][0]}"
        yield Letter(player_id, kind, f"news:{kind}:{player_id}:{first}", own)


@writes(MailKind.COMPETITION)
def write_news(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return what was logged that concerns the player, and their matches that have begun and go on."""
    return _write(player, about, organises=False)


@writes(MailKind.ORGANISING)
def write_news_to_organiser(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return what was logged in the competitions that the player still organises or helps in."""
    return _write(player, about, organises=True)


def _write(player: Player, about: dict[str, Any], *, organises: bool) -> dict[str, Any] | None:
    lines = LogEntry.objects.filter(pk__in=about["lines"]).select_related("competition", "actor").order_by("pk")
    if organises:
        lines = lines.filter(
            Q(competition__in=player.organised_competitions.all()) | Q(competition__in=player.helped_competitions.all())
        )
    news: dict[Competition, list[News]] = defaultdict(list)
    begun: dict[Competition, list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        if (told := write_line(line, player_id=player.pk, organises=organises)) is not None:
            news[line.competition].append(told)
    for fixture in begun_fixtures(player_id=player.pk, ids=about["fixtures"]):
        begun[fixture.competition].append(_fixture_facts(fixture, player))
    parts = [_part(each, news[each], begun[each], organises=organises) for each in dict.fromkeys([*news, *begun])]
    if not parts:
        return None
    subject = parts[0]["subject"] if len(parts) == 1 else _("News from %(count)d competitions") % {"count": len(parts)}
    return {"subject": subject, "parts": parts}


def _part(
    competition: Competition, news: list[News], begun: list[dict[str, Any]], *, organises: bool
) -> dict[str, Any]:
    headlines = list(dict.fromkeys(each.headline for each in news))
    if begun:
        headlines.append(
            ngettext("your match against %(opponent)s has begun", "%(count)d of your matches have begun", len(begun))
            % {"opponent": begun[0]["opponent"], "count": len(begun)}
        )
    facts = {"competition": competition.name, "headline": headlines[0]}
    subject = _("%(competition)s: %(headline)s, and more") if headlines[1:] else _("%(competition)s: %(headline)s")
    link = absolute(competition.get_desk_url() if organises else competition.get_absolute_url())
    return {"subject": subject % facts, "link": link if news else "", "news": news, "begun": begun}


def _fixture_facts(fixture: Fixture, player: Player) -> dict[str, Any]:
    is_yellow, match = fixture.player_ids.yellow == player.pk, fixture.match
    moves_first = match is not None and match.ply == 0 and match.side == (Side.YELLOW if is_yellow else Side.RED)
    return {
        "competition": fixture.competition.name,
        "title": find_game(fixture.competition.game).title,
        "round": fixture.round,
        "opponent": fixture.name_of(Side.RED if is_yellow else Side.YELLOW),
        "is_yellow": is_yellow,
        "first_move_by": match.deadline if match is not None and moves_first else None,
        "link": absolute("" if match is None else match.get_absolute_url()),
    }
