"""Whose final places and ratings change, in sentences."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from matches.models import Match
from matches.selectors.matches import moved_by_both
from players.models import Player
from tournaments.models import Entry, RatingDue
from tournaments.rounds.services.consequences import MAX_NAMED


def say_places(before: Mapping[int, int | None], after: Mapping[int, int | None]) -> Iterator[str]:
    """Yield whose final places are others, by entries, the best first; nothing where there were none, or are none."""
    changed = {key: place for key, place in after.items() if before and place and place != before.get(key)}
    if not changed:
        return
    entries = Entry.objects.filter(pk__in=changed).select_related("player", "team")
    in_order = sorted(entries, key=lambda entry: (changed[entry.pk], entry.pk))
    yield _("Final places change: %(names)s.") % {
        "names": _name([f"{each} {before.get(each.pk) or '–'} → {changed[each.pk]}" for each in in_order])
    }


def say_ratings(due: Collection[int]) -> Iterator[str]:
    """Yield whose ratings are calculated again, by the notes of matches that are to be rated, or no longer."""
    if not due:
        return
    matches = Match.objects.filter(moved_by_both(), pk__in=RatingDue.objects.filter(pk__in=due).values("match"))
    players = Player.objects.filter(Q(pk__in=matches.values("yellow")) | Q(pk__in=matches.values("red")))
    if names := list(players.order_by("username").values_list("username", flat=True)):
        yield _("Ratings are calculated again: %(names)s.") % {"names": _name(names)}


def _name(names: Sequence[str]) -> str:
    first = ", ".join(names[:MAX_NAMED])
    more = len(names) - MAX_NAMED
    return first if more <= 0 else _("%(names)s and %(count)d more") % {"names": first, "count": more}
