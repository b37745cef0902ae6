"""How many players and teams an organiser asks in a day, to play and to run competitions."""

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.office.errors import TooManyEntryInvitations
from tournaments.office.selectors.invitations import invited_since_yesterday


def count_invitations(*, organiser: Player, number: int, now: datetime) -> None:
    """Raise ``TooManyEntryInvitations`` where so many more are too many; others of the organiser's wait until then."""
    Player.objects.select_for_update(no_key=True).get(pk=organiser.pk)
    most = settings.MAX_ENTRY_INVITATIONS_A_DAY
    if invited_since_yesterday(organiser=organiser, now=now) + number > most:
        raise TooManyEntryInvitations(
            _("You can invite at most %(most)d players and teams in 24 hours. Try again later.") % {"most": most}
        )
