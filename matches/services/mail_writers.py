"""Facts for the mails about matches, read when a mail is sent."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.urls import reverse

from matches.models import Match, Status
from matches.selectors.conditional_answers import count_dropped
from matches.selectors.notifications import ended_matches, matches_to_act_in
from matches.sentences import ending_sentence, format_time_left, result_text
from players.mail_links import absolute
from players.models import MailKind, Player
from players.services.mail_writers import writes
from rules_engine.values import Side


@writes(MailKind.TURN)
@writes(MailKind.DEADLINE)
def write_of_turns(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the matches in which it is still the player's turn, the nearest deadline first, and what was dropped."""
    matches = list(matches_to_act_in(player_id=player.pk, ids=about["matches"], now=now))
    facts = _facts(player, matches, now)
    if facts is None:
        return None
    dropped = count_dropped(player, matches)
    for match, entry in zip(matches, facts["matches"], strict=True):
        entry["dropped"] = dropped.get(match.pk, 0)
    return {**facts, "my_turns": absolute(reverse("my-turns"))}


@writes(MailKind.END)
def write_of_ends(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the matches that are over, with how they ended."""
    return _facts(player, ended_matches(ids=about["matches"]), now)


@writes(MailKind.OPPONENT)
def write_of_opponents(player: Player, about: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return what the opponent offers or that they joined, as long as the offer stands or they are to move."""
    match = Match.objects.select_related("yellow", "red").filter(pk=about["match"]).first()
    if match is None or match.status == Status.FINISHED:
        return None
    kind, offer = about.get("offer"), match.standing_offer
    if kind is None:
        return None if match.player_to_act == player else _mail_entry(match, player, now)
    if offer is None or offer.kind != kind or offer.side == match.side_of(player.pk):
        return None
    return {**_mail_entry(match, player, now), "offer": offer.kind.label}


def _facts(player: Player, matches: Iterable[Match], now: datetime) -> dict[str, Any] | None:
    entries = [_mail_entry(match, player, now) for match in matches]
    return {"matches": entries, "first": entries[0]} if entries else None


def _mail_entry(match: Match, player: Player, now: datetime) -> dict[str, Any]:
    you = match.side_of(player.pk) or Side.YELLOW
    facts: dict[str, Any] = {
        "title": match.rules.title,
        "opponent": match.players[you.opponent].username,
        "link": absolute(match.get_absolute_url()),
        "deadline": match.deadline,
        "left": "" if match.deadline is None else format_time_left(match.deadline - now),
    }
    if match.outcome is not None:
        score = match.outcome.score
        facts |= {
            "result": result_text(match, match.outcome, you),
            "ending": ending_sentence(match.outcome.ending),
            "is_corrected": match.corrected_at is not None,
            "score": f"{score[you]}:{score[you.opponent]}",
        }
    return facts
