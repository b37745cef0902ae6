"""The consequences of taking something back, for organisers to read before they do it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Match
from matches.services.adjudication import break_off
from tournaments.models import Fixture
from tournaments.rounds.errors import MatchesWouldBeLost
from tournaments.tables.services.known_games import forget_games
from tournaments.tables.services.ratings import annul_rated

MAX_MATCHES = 2000
"""Of more matches, a start or an end cannot be taken back: all are changed at once, while everybody else waits."""
MAX_NAMED = 10
"""The most matches that a sentence names; of more it says how many there are."""


@dataclass(frozen=True, slots=True)
class Consequences:
    """The consequences of taking something back.

    ``lost`` are the matches that are annulled although somebody has moved in them, ``withdrawn`` those in which nobody
    has. ``overruled`` are decided although somebody has moved in them since. ``more`` are sentences about what else
    follows, and ``ways`` what can be done before: a page below that of the organisers, and what its link says.
    """

    lost: tuple[Fixture, ...] = ()
    withdrawn: tuple[Fixture, ...] = ()
    overruled: tuple[Fixture, ...] = ()
    more: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()

    @property
    def at_stake(self) -> bool:
        """Return whether somebody has to confirm them, as somebody has moved in vain."""
        return bool(self.lost or self.overruled)

    @property
    def sentences(self) -> list[str]:
        """Return what follows in sentences, what is lost first."""
        found = []
        if self.lost:
            count = len(self.lost)
            found.append(
                ngettext(
                    "%(count)d match will be annulled: %(names)s.",
                    "%(count)d matches will be annulled: %(names)s.",
                    count,
                )
                % {"count": count, "names": name_first(self.lost)}
            )
        if self.overruled:
            count = len(self.overruled)
            found.append(
                ngettext(
                    "%(count)d match in which somebody has moved since will be decided as before: %(names)s.",
                    "%(count)d matches in which somebody has moved since will be decided as before: %(names)s.",
                    count,
                )
                % {"count": count, "names": name_first(self.overruled)}
            )
        if self.withdrawn:
            count = len(self.withdrawn)
            found.append(
                ngettext(
                    "%(count)d match in which nobody has moved is withdrawn.",
                    "%(count)d matches in which nobody has moved are withdrawn.",
                    count,
                )
                % {"count": count}
            )
        return [*found, *self.more] or [_("No other match will be annulled.")]


def sort_matches(fixtures: Iterable[Fixture], played: Collection[int]) -> Consequences:
    """Return the consequences of annulling these fixtures; ``played`` are the ids of those that have been played."""
    fixtures = list(fixtures)
    return Consequences(
        lost=tuple(each for each in fixtures if each.pk in played),
        withdrawn=tuple(each for each in fixtures if each.pk not in played),
    )


def check_confirmed(follows: Consequences, *, confirm: bool) -> None:
    """Raise ``MatchesWouldBeLost`` if matches are lost that the organiser has not confirmed."""
    at_stake = (*follows.lost, *follows.overruled)
    if at_stake and not confirm:
        if follows.overruled:
            refusal = ngettext(
                "%(count)d match in which somebody has moved would be decided or annulled: %(names)s. "
                "Confirm that you want this.",
                "%(count)d matches in which somebody has moved would be decided or annulled: %(names)s. "
                "Confirm that you want this.",
                len(at_stake),
            )
        else:
            refusal = ngettext(
                "%(count)d match would be annulled: %(names)s. Confirm that you want this.",
                "%(count)d matches would be annulled: %(names)s. Confirm that you want this.",
                len(at_stake),
            )
        raise MatchesWouldBeLost(
            refusal % {"count": len(at_stake), "names": name_first(at_stake)},
            matches=[each.match_id for each in at_stake if each.match_id is not None],
        )


def annul_matches(*, fixtures: Iterable[Fixture], now: datetime) -> None:
    """Let the matches of fixtures count nowhere, and end those that go on. The caller annuls the fixtures."""
    fixtures = list(fixtures)
    forget_games(fixtures=fixtures)
    match_ids = [each.match_id for each in fixtures if each.match_id is not None]
    break_off(match_ids=match_ids, now=now)
    remaining = Match.objects.filter(pk__in=match_ids, annulled_at=None).order_by("pk")
    for match_id in remaining.values_list("pk", flat=True):
        annul_rated(match_id=match_id, now=now)


def name_first(fixtures: Sequence[Fixture], *, count: int | None = None) -> str:
    """Return the names of fixtures with the numbers of their matches: of the first few, and how many more there are.

    ``count`` is how many there are where not all were read.
    """
    names = ", ".join(map(name_match, fixtures[:MAX_NAMED]))
    more = (len(fixtures) if count is None else count) - MAX_NAMED
    return names if more <= 0 else _("%(names)s and %(count)d more") % {"names": names, "count": more}


def name_match(fixture: Fixture) -> str:
    """Return the name of a fixture with the number of its match, if it has begun."""
    if fixture.match_id is None:
        return str(fixture)
    return _("%(fixture)s (match %(number)d)") % {"fixture": fixture, "number": fixture.match_id}
