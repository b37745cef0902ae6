"""Store which mails a player wants, and what players choose about themselves."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from players.errors import InvalidLink
from players.mail_links import read_switch_off
from players.models import REMINDER_HOURS, SWITCHES, MailKind, MailSettings, Player
from web.errors import InvalidDetails
from web.time_zones import zone_names


def change_mail_settings(*, player: Player, wishes: Mapping[str, Any]) -> MailSettings:
    """Store the given settings by their names, leave the others as they are, and return all.

    Raises InvalidDetails for hours that are none of ``REMINDER_HOURS``.
    """
    hours = set(wishes.get("reminder_hours", ()))
    if not hours <= set(REMINDER_HOURS):
        known = ", ".join(map(str, REMINDER_HOURS))
        raise InvalidDetails({"reminder_hours": [_("Choose from these numbers of hours: %s.") % known]})
    if "reminder_hours" in wishes:
        wishes = {**wishes, "reminder_hours": sorted(hours, reverse=True)}
    changed, _created = MailSettings.objects.update_or_create(player=player, defaults=dict(wishes))
    return changed


def read_kind_to_switch_off(*, token: str) -> tuple[Player, MailKind]:
    """Return the player of a link from a mail, and the kind of mail that it switches off. Raises InvalidLink."""
    read = read_switch_off(token)
    player = None if read is None else Player.objects.filter(pk=read[0]).first()
    if read is None or player is None or read[1] not in SWITCHES:
        raise InvalidLink(_("This link is not valid, or the account has been closed."))
    return player, MailKind(read[1])


def switch_mail_off(*, token: str) -> MailKind:
    """Switch off the kind of mail that a link from a mail is for, and return it. Raises InvalidLink."""
    player, kind = read_kind_to_switch_off(token=token)
    MailSettings.objects.update_or_create(player=player, defaults={SWITCHES[kind]: False})
    return kind


def change_choices(*, player: Player, choices: Mapping[str, Any]) -> None:
    """Store the given choices of a player by the names of their fields, and leave the others as they are.

    Raises InvalidDetails for a time zone that there is not.
    """
    if choices.get("time_zone") and choices["time_zone"] not in zone_names():
        raise InvalidDetails({"time_zone": [_("There is no such time zone.")]})
    for name, chosen in choices.items():
        setattr(player, name, chosen)
    Player.objects.filter(pk=player.pk).update(**choices)
