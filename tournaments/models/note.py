"""The notes of the organisers of a competition for each other."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition

MAX_NOTE_LENGTH = 2000


class Note(models.Model):
    """Something that an organiser wrote down for the others. Nobody else can read it."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("author"))
    text = models.TextField(_("text"), max_length=MAX_NOTE_LENGTH)
    written_at = models.DateTimeField(_("written"))

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["competition", "-id"], name="note_of_competition"),
        ]

    def __str__(self) -> str:
        return self.text[:40]
