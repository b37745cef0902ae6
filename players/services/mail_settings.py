"""Store which mails a player wants, and what players choose about themselves."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import InvalidLink
from players.local_time import next_hour_of_day
from players.mail_links import ALL_SWITCHES, read_switch_off
from players.models import REMINDER_HOURS, SWITCHES, MailSettings, Player
from players.signals import by_itself_chosen
from web.errors import InvalidDetails
from web.time_zones import zone_names


def change_mail_settings(*, player: Player, wishes: Mapping[str, Any], now: datetime) -> MailSettings:
    """Store the given settings by their names, leave the others as they are, and return all.

    Raises InvalidDetails for hours that are none of ``REMINDER_HOURS``.
    """
    hours = set(wishes.get("reminder_hours", ()))
    if not hours <= set(REMINDER_HOURS):
        known = ", ".join(map(str, REMINDER_HOURS))
        raise InvalidDetails({"reminder_hours": [_("Choose from these numbers of hours: %s.") % known]})
    if "reminder_hours" in wishes:
        wishes = {**wishes, "reminder_hours": sorted(hours, reverse=True)}
    if "turns_daily_at" in wishes:
        wishes = {**wishes, "next_daily_at": _next_daily_at(player, wishes["turns_daily_at"], now)}
    changed, _created = MailSettings.objects.update_or_create(player=player, defaults=dict(wishes))
    return changed


def claim_daily_mails(*, now: datetime, limit: int) -> list[int]:
    """Return players whose hour of the daily mail has come, and date their next one, in the caller's transaction."""
    waiting = MailSettings.objects.filter(next_daily_at__lte=now).order_by("next_daily_at").select_related("player")
    due = list(waiting.select_for_update(skip_locked=True, of=("self",))[:limit])
    for chosen in due:
        chosen.next_daily_at = _next_daily_at(chosen.player, chosen.turns_daily_at, now)
    MailSettings.objects.bulk_update(due, ["next_daily_at"])
    return [chosen.player_id for chosen in due]


def _next_daily_at(player: Player, hour: int | None, now: datetime) -> datetime | None:
    return None if hour is None else next_hour_of_day(hour=hour, zone=player.zone, now=now)


def read_kind_to_switch_off(*, token: str) -> tuple[Player, str]:
    """Return the player of a link from a mail, and the kind that it switches off, or ``ALL_SWITCHES``.

    Raises InvalidLink.
    """
    read = read_switch_off(token)
    player = None if read is None else Player.objects.filter(pk=read[0]).first()
    if read is None or player is None or read[1] not in {*SWITCHES, ALL_SWITCHES}:
        raise InvalidLink(_("This link is not valid, or the account has been closed."))
    return player, read[1]


def switch_mail_off(*, token: str) -> str:
    """Switch off the kind of mail that a link from a mail is for, or all, and return it. Raises InvalidLink."""
    player, kind = read_kind_to_switch_off(token=token)
    switches = SWITCHES.values() if kind == ALL_SWITCHES else [SWITCHES[kind]]
    MailSettings.objects.update_or_create(player=player, defaults=dict.fromkeys(switches, False))
    return kind


def change_choices(*, player: Player, choices: Mapping[str, Any], now: datetime) -> None:
    """Store the given choices of a player by the names of their fields, and leave the others as they are.

    Raises InvalidDetails for a time zone that there is not.
    """
    if choices.get("time_zone") and choices["time_zone"] not in zone_names():
        raise InvalidDetails({"time_zone": [_("There is no such time zone.")]})
    begins_by_itself = choices.get("by_itself", False) and not player.by_itself
    for name, chosen in choices.items():
        setattr(player, name, chosen)
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(**choices)
        if "time_zone" in choices:
            for chosen in MailSettings.objects.select_for_update().filter(player=player):
                chosen.next_daily_at = _next_daily_at(player, chosen.turns_daily_at, now)
                chosen.save(update_fields=["next_daily_at"])
        if begins_by_itself:
            transaction.on_commit(partial(by_itself_chosen.send, Player, player=player, now=now), robust=True)
