"""What is stored before it is sent: mails, and whatever else goes out."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class DeliveryState(models.TextChoices):
    """The state of a delivery."""

    PENDING = "pending", _("to be sent")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("not sent: no longer wanted or needed")
    FAILED = "failed", _("given up")


class OutboxRow(models.Model):
    """Something to be sent, from its cause until it is sent or given up.

    ``about`` is what is needed to find the facts, which are read when it is written: nothing secret, and nothing that
    may be out of date by then. ``attempts`` counts how often it was claimed; until ``next_attempt_at`` no other worker
    claims it.
    """

    about = models.JSONField(_("about"), default=dict)
    state = models.CharField(_("state"), max_length=8, choices=DeliveryState.choices, default=DeliveryState.PENDING)
    created_at = models.DateTimeField(_("created"))
    next_attempt_at = models.DateTimeField(_("next attempt"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=500, blank=True)

    class Meta:
        abstract = True
