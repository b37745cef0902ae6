"""What the players of a match may offer each other."""

from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _

from rules_engine.values import Side


class OfferKind(models.TextChoices):
    """What becomes of a match once its opponent accepts."""

    CANCEL = "cancel", _("to cancel the match")
    DRAW = "draw", _("a draw")
    TAKE_BACK = "take-back", _("to take back the last turn")


class Offer(NamedTuple):
    """An offer that stands, and the side that has made it."""

    kind: OfferKind
    side: Side
