"""The moment until which reminders of deadlines were sent."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class ReminderMark(models.Model):
    """The moment until which reminders were sent, in a single row. The next sweep begins there and moves it on."""

    ONLY: ClassVar[int] = 1

    until = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("mark of the reminders")
        verbose_name_plural = _("marks of the reminders")

    def __str__(self) -> str:
        return self.until.isoformat()
