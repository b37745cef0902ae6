"""Tell organisers who would play if a competition started now, and who would not, before they start it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Competition, Entry, EntryStatus
from tournaments.office.selectors.invitations import unanswered_in
from tournaments.rounds.services.consequences import Consequences
from tournaments.running.selectors.entry_conditions import count_entrants
from tournaments.running.selectors.waiting_lists import waiting_list
from tournaments.running.services.absences import Absences, find_absences
from tournaments.teams.selectors.line_ups import players_by_board

MAX_NAMED = 10
"""The most that a sentence names; of more it says how many there are."""


def name_some(named: Sequence[object]) -> str:
    """Return the names of the first of these, with a mark where there are more."""
    return ", ".join(map(str, named[:MAX_NAMED])) + (" …" if len(named) > MAX_NAMED else "")


def what_follows_from_starting(*, competition_id: int, now: datetime) -> Consequences:
    """Return who would play if the competition started now, and who would not. Twelve queries at most.

    That is who is absent from the check-in, waits for a place, or has not answered an invitation; teams that lack
    players, and more entrants than there are places.
    """
    competition = Competition.objects.get(pk=competition_id)
    if competition.is_checking_in(now):
        found = find_absences(competition=competition, until=now)
    else:
        found = Absences(present=count_entrants(competition))
    unanswered = list(unanswered_in(competition))
    sentences = [
        *_who_plays(competition, found),
        *_who_waits(competition, found),
        *(_who_is_short(competition) if competition.boards is not None else ()),
        *(_who_is_asked(competition, unanswered) if unanswered else ()),
    ]
    return Consequences(more=tuple(sentences), ways=(("ask-again/", _("Ask again")),) if unanswered else ())


def _who_plays(competition: Competition, found: Absences) -> Iterable[str]:
    """Yield how many play, and whom there is no place for who plays all the same."""
    count = found.present + len(found.moving_up)
    if competition.boards is None:
        yield ngettext("%(count)d player will play.", "%(count)d players will play.", count) % {"count": count}
    else:
        yield ngettext("%(count)d team will play.", "%(count)d teams will play.", count) % {"count": count}
    places = competition.max_entrants
    if places is not None and found.present > places:
        present = Entry.objects.filter(competition=competition.pk, status=EntryStatus.ACTIVE)
        late = list(
            present.exclude(pk__in=[each.pk for each in found.absent])
            .select_related("player", "team")
            .order_by("pk")[places:]
        )
        yield _(
            "There are %(places)d places, and %(count)d more have been added. They play too, unless you withdraw them: "
            "%(names)s."
        ) % {"places": places, "count": len(late), "names": name_some(late)}


def _who_waits(competition: Competition, found: Absences) -> Iterable[str]:
    """Yield who has not checked in, who moves up from the waiting list, and who stays on it."""
    if found.absent:
        sentence = ngettext(
            "%(count)d player has not checked in and does not play: %(players)s.",
            "%(count)d players have not checked in and do not play: %(players)s.",
            len(found.absent),
        )
        yield _fill(sentence, sorted(map(str, found.absent)))
    if found.moving_up:
        sentence = ngettext(
            "%(count)d player moves up from the waiting list: %(players)s.",
            "%(count)d players move up from the waiting list: %(players)s.",
            len(found.moving_up),
        )
        yield _fill(sentence, sorted(map(str, found.moving_up)))
    left = list(waiting_list(competition).exclude(pk__in=[each.pk for each in found.moving_up]))
    if left:
        sentence = ngettext(
            "%(count)d player stays on the waiting list and does not play: %(players)s.",
            "%(count)d players stay on the waiting list and do not play: %(players)s.",
            len(left),
        )
        yield _fill(sentence, left)


def _who_is_short(competition: Competition) -> Iterable[str]:
    """Yield which teams have fewer players than boards by their line-ups for the first round."""
    teams = Entry.objects.filter(competition=competition.pk, status=EntryStatus.ACTIVE).select_related("team")
    entries = list(teams.order_by("pk"))
    keys = [each.pk for each in entries]
    seated = players_by_board(competition_id=competition.pk, entries=keys, number=1)
    players = Counter(key for key, _board in seated)
    boards = competition.boards or 0
    short = [
        _("%(team)s (%(players)d of %(boards)d)") % {"team": each, "players": players[each.pk], "boards": boards}
        for each in entries
        if players[each.pk] < boards
    ]
    if short:
        sentence = ngettext(
            "%(count)d team lacks players, and loses the boards without one: %(players)s.",
            "%(count)d teams lack players, and lose the boards without one: %(players)s.",
            len(short),
        )
        yield _fill(sentence, short)


def _who_is_asked(competition: Competition, unanswered: Sequence[object]) -> Iterable[str]:
    """Yield who has not answered an invitation, and what comes of starting without them."""
    if competition.first_stage.allows_late_entry:
        sentence = ngettext(
            "%(count)d invitation is not answered, and can still be accepted after the start: %(players)s.",
            "%(count)d invitations are not answered, and can still be accepted after the start: %(players)s.",
            len(unanswered),
        )
    else:
        sentence = ngettext(
            "%(count)d invitation is not answered, and lapses with the start: %(players)s. You can ask again, or wait.",
            "%(count)d invitations are not answered, and lapse with the start: %(players)s. You can ask again, or "
            "wait.",
            len(unanswered),
        )
    yield _fill(sentence, unanswered)


def _fill(sentence: str, named: Sequence[object]) -> str:
    return sentence % {"count": len(named), "players": name_some(named)}
