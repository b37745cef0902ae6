"""The acts of organisers, and of the rules in their place, in a competition."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tournaments.models.audiences import CONDITIONS_CHANGED, UNLISTED
from tournaments.models.competition import Competition
from tournaments.models.team import Team

LISTED = ~Q(action__in=sorted(UNLISTED))
"""The lines that everybody can read: as an index has them, so that no others are read with them."""


FORGIVEN, UNDONE = "outage-forgiven", "outage-undone"
OF_OUTAGES = Q(action__in=[FORGIVEN, UNDONE])
"""The lines by which matches went on that were lost on time in an outage, and by which that was taken back."""


class Interest(models.TextChoices):
    """The interest in an act of who does it: they play in the match, or against those whom it is about."""

    NONE = "", ""
    MATCH = "match", _("plays in this match")
    COMPETITION = "competition", _("plays in this competition")


class LogEntry(models.Model):
    """One thing that was done: who (nobody: the rules), when, what, and why. The players can read it.

    ``action`` is a word of ``tournaments.office.services.log.ACTIONS``, ``subject`` whom or what it was done to.
    ``team`` is the one that it invited, whatever that is called since; ``match`` the one to which it was done.
    ``concerns`` are the players whom it names, if it names any: ``tournaments.models.audiences`` says who hears of it.
    ``is_notified`` says that those who get a mail have been notified, or that nobody does. ``stored_at`` is the
    moment of the statement by the database's clock: who asks for what came since must look back a little further.
    Since ``pinned_at`` an announcement is shown on the page of its competition.
    The ``reason`` is what everybody may read: what organisers have changed or taken down is a ``FormerText``. Since
    ``taken_down_at`` there is none.
    ``interest`` is the one that the ``actor`` had in it.
    ``changes`` say from what to what, in words: each has ``what``, ``old`` and ``new``.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="log")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(_("action"), max_length=20)
    subject = models.CharField(_("subject"), max_length=120, blank=True)
    reason = models.TextField(_("reason"), blank=True, max_length=2000)
    interest = models.CharField(
        _("interest"), max_length=11, choices=Interest.choices, default="", db_default="", blank=True, editable=False
    )
    changes = models.JSONField(_("changes"), default=list, blank=True, editable=False)
    logged_at = models.DateTimeField(_("at"))
    pinned_at = models.DateTimeField(_("pinned"), null=True, blank=True, editable=False)
    taken_down_at = models.DateTimeField(_("taken down"), null=True, blank=True, editable=False)
    stored_at = models.DateTimeField(_("stored"), db_default=Now(), editable=False)
    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, editable=False, related_name="+", db_index=False
    )
    match = models.ForeignKey(
        "matches.Match", models.SET_NULL, null=True, blank=True, editable=False, related_name="+", db_index=False
    )
    concerns = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="+", verbose_name=_("concerns"), blank=True, editable=False
    )
    is_notified = models.BooleanField(_("players notified"), default=False, editable=False)

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log")
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["competition", "-id"], name="log_of_competition"),
            models.Index(fields=["competition", "-id"], condition=LISTED, name="log_listed"),
            models.Index(fields=["id"], condition=Q(is_notified=False), name="log_to_notify"),
            models.Index(fields=["competition"], condition=Q(pinned_at__isnull=False), name="log_pinned"),
            models.Index(fields=["stored_at"], name="log_stored"),
            models.Index(fields=["match"], condition=Q(match__isnull=False), name="log_of_match"),
            models.Index(fields=["competition", "id"], condition=OF_OUTAGES, name="log_of_outages"),
            models.Index(
                fields=["competition", "-id"], condition=Q(action=CONDITIONS_CHANGED), name="log_of_conditions"
            ),
            models.Index(fields=["competition", "stored_at"], name="log_of_competition_stored"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}".strip()


class FormerText(models.Model):
    """A reason or an announcement that an organiser has changed or taken down. Organisers and staff can read it."""

    line = models.ForeignKey(LogEntry, models.CASCADE, related_name="former_texts", verbose_name=_("line of the log"))
    text = models.TextField(_("text"), max_length=2000)
    replaced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("changed by")
    )
    replaced_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("former text of a log")
        verbose_name_plural = _("former texts of logs")
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return self.text[:40]
