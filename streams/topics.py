"""The topics that a stream can name besides matches: a list in the query, and the public rows that it stands for."""

import re
from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from matches.selectors.matches import MAX_ID
from matches.signals import LOBBY, WATCHED, Topic
from tournaments.records.competitions import public_by_slug

MAX_TOPICS = 20
MAX_LENGTH = 2000

SITE_WIDE = {kind: (kind, number) for kind, number in (LOBBY, WATCHED)}
"""The topics that have no name after a colon."""

_MATCH = re.compile(r"match:([1-9][0-9]{0,18})")
_COMPETITION = re.compile(r"competition:([-a-zA-Z0-9_]+)")


class TopicsField(serializers.CharField):
    """Topics, comma separated: ``lobby``, ``matches``, ``match:<id>`` and ``competition:<slug>``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_LENGTH, **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return each topic once, as it was given. Raises ``ValidationError`` for one that there is not."""
        topics = list(dict.fromkeys(super().to_internal_value(data).split(",")))
        for topic in topics:
            if not _is_topic(topic):
                raise serializers.ValidationError(
                    _("“%(topic)s” is no topic: use lobby, matches, match:<id> and competition:<slug>.")
                    % {"topic": topic}
                )
        if len(topics) > MAX_TOPICS:
            raise serializers.ValidationError(
                _("A stream can follow at most %(number)d topics.") % {"number": MAX_TOPICS}
            )
        return topics


def matches_among(topics: Collection[str]) -> list[int]:
    """Return the ids of the matches that topics name."""
    return [int(found[1]) for topic in topics if (found := _MATCH.fullmatch(topic))]


def resolve_topics(topics: Collection[str]) -> list[Topic]:
    """Return the topics that are not matches. One query at most.

    Raises ``CompetitionNotFound`` for a competition that not everybody can see.
    """
    slugs = [found[1] for topic in topics if (found := _COMPETITION.fullmatch(topic))]
    competitions = public_by_slug(slugs) if slugs else []
    wide = [SITE_WIDE[topic] for topic in topics if topic in SITE_WIDE]
    return [*wide, *(("competition", competition) for competition in competitions)]


def _is_topic(topic: str) -> bool:
    if topic in SITE_WIDE or _COMPETITION.fullmatch(topic):
        return True
    match = _MATCH.fullmatch(topic)
    return match is not None and int(match[1]) <= MAX_ID
