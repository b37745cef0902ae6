"""The rules for the results of who is disqualified."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Disqualification(models.TextChoices):
    """The rule for the results of an entrant who is disqualified."""

    STAND = "stand", _("stand; unfinished matches are lost by forfeit")
    LOST = "lost", _("are lost, all of them, as by forfeit; those of a knock-out stand")
    ANNULLED = "annulled", _("are annulled, all of them; those of a knock-out stand")
    COMEBACK = "comeback", _("stand, but in a knock-out whom they beat last plays on in their place, if that can be")
