"""The number of changes of names, by which pages that were made of them are out of date."""

from django.db import models


class NameChanges(models.Model):
    """The one row that counts how often any player or team has got another name."""

    number = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.number)
