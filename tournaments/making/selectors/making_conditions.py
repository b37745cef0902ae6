"""Conditions for making a competition: who may, and why others may not."""

from datetime import datetime

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _

from matches.clock import DAY
from matches.models import Match, Status
from players.models import Player
from tournaments.making.errors import (
    EmailNotConfirmed,
    MakerClosed,
    MakerIsComputer,
    MakerIsGuest,
    MakingRefused,
    NoFinishedMatch,
    TooManyMade,
    TooManyUnfinished,
)
from tournaments.models import ENDED, Competition

SENDS_NOTHING = ("console.EmailBackend", "dummy.EmailBackend")
"""The ends of ``EMAIL_BACKEND`` on a site without a mail server."""


def reasons_not_to_make(*, player: Player, now: datetime) -> list[MakingRefused]:
    """Return every reason why the player may not make a competition now; empty if there is none.

    Each has a stable ``code`` and a sentence, its ``reason``. Staff may always.
    """
    if not player.is_active:
        return [MakerClosed(_("The account %(player)s is closed.") % {"player": player})]
    if player.is_guest:
        return [MakerIsGuest(_("Guests cannot create competitions. Sign up first."))]
    if player.is_computer:
        return [MakerIsComputer(_("Computers cannot create competitions."))]
    if player.is_staff:
        return []
    return [*_reasons_of_account(player), *_reasons_of_number(player, now)]


def _reasons_of_account(player: Player) -> list[MakingRefused]:
    reasons: list[MakingRefused] = []
    if player.email_confirmed_at is None and not settings.EMAIL_BACKEND.endswith(SENDS_NOTHING):
        reasons.append(EmailNotConfirmed(_("Confirm your e-mail address first: organisers have to be reachable.")))
    own = Q(yellow=player) | Q(red=player)
    if not Match.objects.filter(own, status=Status.FINISHED).exists():
        reasons.append(NoFinishedMatch(_("Finish a match first.")))
    return reasons


def _reasons_of_number(player: Player, now: datetime) -> list[MakingRefused]:
    made = Competition.objects.filter(creator=player)
    most, most_a_day = settings.MAX_UNFINISHED_COMPETITIONS, settings.MAX_COMPETITIONS_A_DAY
    reasons: list[MakingRefused] = []
    if made.exclude(status__in=ENDED).count() >= most:
        reasons.append(
            TooManyUnfinished(
                _("%(most)d competitions that you created are unfinished. Finish one first.") % {"most": most}
            )
        )
    if made.filter(created_at__gt=now - DAY).count() >= most_a_day:
        reasons.append(
            TooManyMade(
                _("You can create at most %(most)d competitions in 24 hours. Try again later.") % {"most": most_a_day}
            )
        )
    return reasons
