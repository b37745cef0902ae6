"""Whose turn it is to have the engines work for them: what each client has used of a queue lately."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class QueueName(models.TextChoices):
    """What engines are asked for."""

    TURNS = "turns", _("turns of computers")
    ANALYSES = "analyses", _("analyses")


class EngineQueue(models.Model):
    """A queue of work for the engines. What waits in it are rows elsewhere; whoever claims one holds this row's lock.

    ``clock`` is the ``used`` at which the last claim began: whoever comes new begins there.
    """

    name = models.CharField(_("name"), max_length=8, choices=QueueName.choices, unique=True)
    clock = models.PositiveBigIntegerField(_("clock"), default=0)

    class Meta:
        verbose_name = _("queue of the engines")
        verbose_name_plural = _("queues of the engines")

    def __str__(self) -> str:
        return self.name


class EngineShare(models.Model):
    """How much of a queue a client has ``used``: a player, or all guests of one client network by its keyed hash.

    Nothing is known by it that is not after the queue's clock, so such rows are deleted.
    """

    queue = models.ForeignKey(EngineQueue, models.CASCADE, related_name="shares")
    client = models.CharField(_("client"), max_length=80)
    used = models.PositiveBigIntegerField(_("used"))

    class Meta:
        verbose_name = _("share of a queue")
        verbose_name_plural = _("shares of queues")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["queue", "client"], name="engine_share_one_for_each_client"),
        ]

    def __str__(self) -> str:
        return f"{self.queue_id} {self.client}"
