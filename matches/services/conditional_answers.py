"""Services that keep the answers which players give beforehand. Nobody but their player hears of them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches import clock
from matches.errors import AnswerNotPossible, StalePly
from matches.models import ConditionalAnswer, Match
from matches.selectors.conditional_answers import answers_of, read_line
from matches.services.running_match import lock_running
from players.models import Player
from players.services.budgets import spending_of
from rules_engine.values import Side
from web.limits.table import ANSWERS

MAX_ANSWERS = 30
"""The most lines, and answers to decisions, that a player keeps in a match."""

MAX_LINE_ACTIONS = 60
MAX_LINE_CHARACTERS = 1_000
"""The most actions, and characters, that one of them has."""


def set_answers(
    *,
    match_id: int,
    player: Player,
    ply: int,
    lines: Sequence[Sequence[str]],
    decisions: Mapping[str, Sequence[str]],
    now: datetime,
) -> Match:
    """Let these be all answers that a player gives beforehand in a match, and return the match.

    A line has the actions of both sides from the position at ``ply`` on, in which the opponent is to act, and ends with
    an answer. An answer to a kind of decision stands until it is removed. Raises ``MatchNotFound``, ``NotYourMatch``,
    ``MatchOver``, ``TooLate``, ``StalePly``, ``UnreadableMove``, ``RefusedMove``, ``AnswerNotPossible`` or
    ``BudgetSpent``; then nothing has changed.
    """
    with spending_of(player, ANSWERS, now=now), transaction.atomic():
        match, side = lock_running(match_id=match_id, player=player, now=clock.whole_millisecond(now))
        _rows(match, player).delete()
        _give(match, side, ply, lines, decisions)
    return match


def give_answers(
    *,
    match_id: int,
    player: Player,
    ply: int,
    lines: Sequence[Sequence[str]] = (),
    decisions: Mapping[str, Sequence[str]] | None = None,
    now: datetime,
) -> Match:
    """Add these to the answers that a player has given, and return the match; otherwise as ``set_answers``.

    The answer to a kind of decision takes the place of the one before.
    """
    with spending_of(player, ANSWERS, now=now), transaction.atomic():
        match, side = lock_running(match_id=match_id, player=player, now=clock.whole_millisecond(now))
        _rows(match, player).filter(is_dropped=True).delete()
        _give(match, side, ply, lines, decisions or {})
    return match


@transaction.atomic
def remove_answers(*, match_id: int, player: Player, answer_id: int | None = None, now: datetime) -> Match:
    """Remove an answer that a player has given, or all of them, and return the match; without any nothing happens.

    Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver`` or ``TooLate``.
    """
    match, _side = lock_running(match_id=match_id, player=player, now=clock.whole_millisecond(now))
    rows = _rows(match, player)
    (rows if answer_id is None else rows.filter(pk=answer_id)).delete()
    _note_change(match)
    return match


def forget_answers(match_ids: Collection[int]) -> None:
    """Erase all that was given beforehand in matches that have ended, or where a turn was taken back."""
    ConditionalAnswer.objects.filter(match__in=match_ids).delete()


def _give(
    match: Match,
    side: Side,
    ply: int,
    lines: Sequence[Sequence[str]],
    decisions: Mapping[str, Sequence[str]],
) -> None:
    """Store answers in a locked match."""
    if ply != match.ply:
        raise StalePly(_("The match has moved on. Check the position and answer again."))
    _note_change(match)
    for kind, texts in decisions.items():
        _answer_decision(match, side, kind, texts)
    for texts in lines:
        _give_line(match, side, list(texts))
    if _rows(match, match.players[side]).count() > MAX_ANSWERS:
        sentence = _("You can give at most %(most)d answers in a match.")
        raise AnswerNotPossible(sentence % {"most": MAX_ANSWERS})


def _answer_decision(match: Match, side: Side, kind: str, texts: Sequence[str]) -> None:
    rehearsed = match.state.rehearsals(side).get(kind)
    if rehearsed is None:
        raise AnswerNotPossible(_("There is no such decision that you could answer beforehand now."))
    _check_length(texts)
    line = read_line(match, rehearsed, side, texts)
    if len(line.answers) < len(texts):
        raise AnswerNotPossible(_("Your turn ends before this."))
    fields = {"ply": match.ply, "texts": list(texts), "is_dropped": False}
    _rows(match, match.players[side]).update_or_create(
        decision=kind, defaults=fields, create_defaults={**fields, "match": match, "player": match.players[side]}
    )


def _give_line(match: Match, side: Side, texts: list[str]) -> None:
    if match.side == side:
        raise AnswerNotPossible(_("It is your turn: play your move."))
    _check_length(texts)
    line = read_line(match, match.state, side, texts)
    for other in answers_of(match, match.players[side]):
        if other.decision:
            continue
        known = read_line(match, other.state, side, other.texts[other.lead :]).answers
        if any(line.answers.get(state, text) != text for state, text in known.items()):
            raise AnswerNotPossible(_("You have answered this with something else. Remove that line first."))
        if line.answers.items() <= known.items():
            return
        if known.items() <= line.answers.items():
            other.delete()
    row = ConditionalAnswer(match=match, player=match.players[side])
    row.begin_at(match.ply, texts, line.lead, next(iter(line.answers)))
    row.save()


def _check_length(texts: Sequence[str]) -> None:
    if len(texts) > MAX_LINE_ACTIONS or sum(map(len, texts)) > MAX_LINE_CHARACTERS:
        raise AnswerNotPossible(_("This line is too long."))


def _rows(match: Match, player: Player) -> QuerySet[ConditionalAnswer]:
    return ConditionalAnswer.objects.filter(match=match, player=player)


def _note_change(match: Match) -> None:
    """Let moves that were begun before be tried again, with the answers as they are now. Others see no change."""
    match.answer_changes += 1
    Match.objects.filter(pk=match.pk).update(answer_changes=match.answer_changes)
