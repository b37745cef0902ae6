"""The responses that are kept for requests that carry an ``Idempotency-Key``."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class IdempotentResponse(models.Model):
    """The response to a request, so that the same request sent again gets the same response.

    ``fingerprint`` is the SHA-256 of the request's method, path and body; ``headers`` are those that the view has set.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.TextField()
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["key", "player"], name="stored_answer_one_for_each_key"),
        ]

    def __str__(self) -> str:
        return self.key
