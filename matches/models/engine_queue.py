"""The queues of engine jobs, and how much of them each client has used lately."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class QueueName(models.TextChoices):
    """The kinds of engine jobs."""

    TURNS = "turns", _("turns of computers")
    ANALYSES = "analyses", _("analyses")


class EngineQueue(models.Model):
    """A queue of engine jobs. The jobs are rows of other tables; a worker that claims one locks this row.

    ``clock`` is the ``used`` at which the last claim began; a new client begins there.
    """

    name = models.CharField(_("name"), max_length=8, choices=QueueName.choices, unique=True)
    clock = models.PositiveBigIntegerField(_("clock"), default=0)

    class Meta:
        verbose_name = _("queue of the engines")
        verbose_name_plural = _("queues of the engines")

    def __str__(self) -> str:
        return self.name


class EngineShare(models.Model):
    """The share of a queue that a client has ``used``: a player, or all guests of one client network by its keyed hash.

    A row that is not after the queue's clock makes no difference, so it is deleted.
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
