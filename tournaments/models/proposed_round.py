"""Rounds that have been drawn and wait for an organiser, who publishes them."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from formats.pairing.proposed import Pairings
from rules_engine.values import BySide
from tournaments.models.stage import Group

VERSION_LENGTH = 16


class ProposedRound(models.Model):
    """The pairings of a group's next round before anybody but the organisers sees them; then they become a ``Round``.

    ``pairings`` are those that would be published now, ``drawn`` those that were drawn: JSON that ``read_pairings``
    reads, with the ids of seats, so that a player who takes over a place stands in it here too.
    """

    group = models.OneToOneField(Group, models.CASCADE, related_name="proposed_round")
    number = models.PositiveIntegerField(_("number"))
    drawn_at = models.DateTimeField(_("drawn"))
    drawn = models.JSONField()
    pairings = models.JSONField()

    class Meta:
        verbose_name = _("proposed round")
        verbose_name_plural = _("proposed rounds")

    def __str__(self) -> str:
        return f"{self.group} {self.number}"

    @property
    def competition_id(self) -> int:
        """Return the id of the competition. Reads group and stage unless they were read with the round."""
        return self.group.stage.competition_id

    @property
    def version(self) -> str:
        """Return what tells these pairings from all others: the same pairings have the same version."""
        pairings = {kind: sorted(seats, key=str) for kind, seats in self.pairings.items()}
        written = json.dumps([self.number, pairings], sort_keys=True, separators=(",", ":"))
        return sha256(written.encode()).hexdigest()[:VERSION_LENGTH]

    @property
    def is_edited(self) -> bool:
        """Return whether the pairings differ from those that were drawn."""
        return bool(self.pairings != self.drawn)


def read_pairings(stored: Mapping[str, Any]) -> Pairings[int]:
    """Return pairings that are stored as JSON, by the ids of seats."""
    return Pairings(
        tuple(BySide(yellow, red) for yellow, red in stored["pairs"]),
        tuple(stored["byes"]),
        tuple(stored["asked_byes"]),
    )


def write_pairings(pairings: Pairings[int]) -> dict[str, Sequence[Any]]:
    """Return pairings as they are stored."""
    return {
        "pairs": [list(pair) for pair in pairings.pairs],
        "byes": list(pairings.byes),
        "asked_byes": list(pairings.asked_byes),
    }
