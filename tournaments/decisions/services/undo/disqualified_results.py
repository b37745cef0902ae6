"""The results of who is disqualified: annulled, lost, or the beaten opponent comes back. Callers hold the lock."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.pairing.legs import Decider
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.corrected_results import Verdict, correct_results, take_back_corrections
from tournaments.decisions.services.undo.results import count_again
from tournaments.models import (
    OF_TIES,
    Annulment,
    Competition,
    Correction,
    Disqualification,
    Entry,
    Fixture,
    LogEntry,
    Tie,
)
from tournaments.office.services.log import log_action
from tournaments.rounds.services.consequences import annul_matches, name_first
from tournaments.rounds.services.set_aside import set_aside

_WITHOUT_PLAY = frozenset({Decider.WITHDRAWAL, Decider.NEITHER})


def annul_all(*, entry: Entry, now: datetime) -> Changes:
    """Annul what an entrant has played and forfeited, but for ties: these need their results."""
    fixtures = list(_results_of(entry).select_related(*RELATED).order_by("pk"))
    if not fixtures:
        return Changes()
    annul_matches(fixtures=fixtures, now=now)
    Fixture.objects.filter(pk__in=[each.pk for each in fixtures]).update(is_annulled=True, annulment=Annulment.DECIDED)
    sentence = ngettext(
        "%(count)d match is annulled: %(names)s.", "%(count)d matches are annulled: %(names)s.", len(fixtures)
    )
    return Changes(meant=fixtures, more=[sentence % {"count": len(fixtures), "names": name_first(fixtures)}])


def opponents_by_rule(*, competition: Competition, entry: Entry, rule: Disqualification) -> list[Entry]:
    """Return those whose results against an entrant become others by the rule of a disqualification, but for ties."""
    if rule == Disqualification.LOST:
        return _opponents(entry, _not_lost(competition, entry))
    annulled = _results_of(entry).select_related(*RELATED) if rule == Disqualification.ANNULLED else ()
    return _opponents(entry, annulled)


def opponents_before(*, competition: Competition, entry: Entry, since: datetime) -> list[Entry]:
    """Return those whose results against an entrant have become others by a disqualification at this moment."""
    corrected = Fixture.objects.filter(pk__in=_corrected(competition, entry, since).values("fixture"))
    return _opponents(entry, [*_annulled(entry, since), *corrected.select_related(*RELATED)])


def lose_all(*, competition: Competition, entry: Entry, cause: LogEntry) -> Changes:
    """Let an entrant have lost all results but for ties, as by forfeit; those lost so already stay as they are."""
    fixtures = _not_lost(competition, entry)
    changes = _lose(competition, entry, fixtures, cause)
    if fixtures:
        sentence = ngettext(
            "%(count)d result becomes a defeat: %(names)s.",
            "%(count)d results become defeats: %(names)s.",
            len(fixtures),
        )
        changes.more.append(sentence % {"count": len(fixtures), "names": name_first(fixtures)})
    return changes


def let_opponent_come_back(*, competition: Competition, entry: Entry, cause: LogEntry, now: datetime) -> Changes:
    """Let the opponent whom an entrant beat last in a bracket have won that tie, where the bracket allows it.

    It does while nothing was decided against the entrant since, and who lost to them is still in. Their match that goes
    on is set aside: the opponent plays in their place.
    """
    ties = Tie.objects.filter(Q(first=entry) | Q(second=entry))
    played = ties.filter(decided_at__isnull=False).exclude(decided_by__in=[Decider.BYE, Decider.NOT_PLAYED])
    in_order = played.order_by("round__group__stage__number", "round__number", "pk")
    last = in_order.select_related("round__group__stage", *OF_TIES).last()
    opponent = None if last is None else last.second if last.first_id == entry.pk else last.first
    if last is None or opponent is None or last.winner_id != entry.pk or not _comes_back(last, opponent):
        sentence = _("Nobody comes back in place of %(player)s: the bracket does not allow it.") % {"player": entry}
        return Changes(more=[sentence] if ties.exists() else [])
    regular = last.round.group.stage.chosen_options.legs
    legs = Fixture.objects.filter(tie=last, is_annulled=False, leg__lte=regular).select_related(*RELATED)
    changes = _lose(competition, entry, legs.order_by("leg", "board"), cause)
    set_aside(fixtures=Fixture.objects.filter(tie__in=ties.filter(decided_at=None), is_annulled=False), now=now)
    log_action(competition=competition, action="came-back", actor=cause.actor, about=opponent, now=now)
    changes.more.append(_("%(opponent)s comes back in place of %(player)s.") % {"opponent": opponent, "player": entry})
    return changes


def take_back_results(*, competition: Competition, entry: Entry, since: datetime, now: datetime) -> Changes:
    """Let the results count that an entrant had before a disqualification at this moment."""
    corrections = _corrected(competition, entry, since)
    annulled = _annulled(entry, since)
    fixtures = annulled.filter(draw_place="").order_by("pk")
    changes = count_again(competition=competition, fixtures=fixtures, now=now)
    # What was set aside besides counts as soon as it is drawn again.
    annulled.update(annulment="")
    changes.meant += take_back_corrections(competition=competition, corrections=corrections, now=now).meant
    return changes


def _annulled(entry: Entry, since: datetime) -> QuerySet[Fixture]:
    """Return what counts no more by a disqualification at this moment."""
    annulled = Fixture.objects.filter(_of(entry), annulment=Annulment.DECIDED, is_annulled=True, **_cause(since))
    return annulled.select_related(*RELATED)


def _corrected(competition: Competition, entry: Entry, since: datetime) -> QuerySet[Correction]:
    """Return the corrections by a disqualification at this moment."""
    fixtures = Fixture.objects.filter(_of(entry), competition=competition)
    return Correction.objects.filter(fixture__in=fixtures, **_cause(since))


def _cause(since: datetime) -> dict[str, Any]:
    return {"cause__action": "disqualified", "cause__logged_at": since}


def _of(entry: Entry) -> Q:
    return Q(yellow=entry) | Q(red=entry)


def _opponents(entry: Entry, fixtures: Iterable[Fixture]) -> list[Entry]:
    return list(dict.fromkeys(each.red if each.yellow_id == entry.pk else each.yellow for each in fixtures))


def _not_lost(competition: Competition, entry: Entry) -> list[Fixture]:
    """Return the results of an entrant that are no defeat as by forfeit yet, but for ties."""
    return [
        each
        for each in _results_of(entry).filter(counted_at__isnull=False).select_related(*RELATED).order_by("pk")
        if each.points is not None and each.points != _lost(competition, entry, each).points and any(each.points)
    ]


def _results_of(entry: Entry) -> QuerySet[Fixture]:
    return Fixture.objects.filter(_of(entry), is_annulled=False, tie=None)


def _comes_back(tie: Tie, opponent: Entry) -> bool:
    return opponent.is_in and tie.decided_by not in _WITHOUT_PLAY


def _lose(competition: Competition, entry: Entry, fixtures: Iterable[Fixture], cause: LogEntry) -> Changes:
    return correct_results(
        competition=competition,
        fixtures=fixtures,
        decide=lambda fixture: _lost(competition, entry, fixture),
        cause=cause,
    )


def _lost(competition: Competition, entry: Entry, fixture: Fixture) -> Verdict:
    """Return a defeat of an entrant as by forfeit, rated as far as the result was."""
    winner = Side.RED if fixture.yellow_id == entry.pk else Side.YELLOW
    outcome = Outcome(winner, Ending.FORFEIT, BySide(0, 0))
    is_rated = fixture.correction is None or fixture.correction.is_rated
    return Verdict(winner, competition.points_of(outcome), outcome.score, is_rated)
