"""Answers that a player of a match gives beforehand, as only this player sees them, and their buttons."""

from dataclasses import dataclass
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from database.clock import current_moment
from matches.errors import UnreadableMove
from matches.forms import AnswerForm, RemovedAnswerForm
from matches.models import ConditionalAnswer, Match
from matches.selectors.conditional_answers import answers_of
from matches.selectors.matches import get_match
from matches.services.conditional_answers import give_answers, remove_answers
from matches.views.positions import LINE
from players.current_player import current_player, require_player
from players.views.buttons import button
from rules_engine.values import Side

MAX_SAMPLED = 8


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer: its turns, each with whether it is the player's own, and the decision that it is for, if any."""

    pk: int
    turns: tuple[tuple[bool, str], ...]
    task: str
    is_dropped: bool


@dataclass(frozen=True, slots=True)
class Beforehand:
    """What a player has given beforehand, and can: lines if ``takes_lines``, and decisions by kind with their tasks."""

    opponent: str
    given: tuple[ShownAnswer, ...]
    takes_lines: bool
    decisions: dict[str, str]

    @property
    def dropped(self) -> list[ShownAnswer]:
        """Return what was not played."""
        return [each for each in self.given if each.is_dropped]

    @property
    def standing(self) -> list[ShownAnswer]:
        """Return what may still be played."""
        return [each for each in self.given if not each.is_dropped]


def beforehand_of(match: Match, you: Side | None) -> Beforehand | None:
    """Return what a player of a running match has given and can give beforehand, ``None`` for everybody else."""
    if you is None or not match.side:
        return None
    waits = match.side != you
    tasks = {kind: str(state.task) for kind, state in match.state.rehearsals(you).items()}
    return Beforehand(
        opponent=match.players[you.opponent].username,
        given=tuple(_show(row, you, tasks) for row in answers_of(match, match.players[you])),
        takes_lines=waits and _may_be_answered(match),
        decisions=tasks if waits else {},
    )


def _may_be_answered(match: Match) -> bool:
    """Return whether a side decides after moves that the side to act may play, and not the dice."""
    state = match.state
    return any(isinstance(state.play(text).turn, Side) for text in state.legal_moves()[:MAX_SAMPLED])


def _show(row: ConditionalAnswer, you: Side, tasks: dict[str, str]) -> ShownAnswer:
    if row.decision:
        return ShownAnswer(
            row.pk, ((True, " ".join(row.texts)),), tasks.get(row.decision, row.decision), row.is_dropped
        )
    # The opponent's actions that lead to the first answer were played from a position that is not read again.
    actors = [False] * row.lead
    state = row.state
    for text in row.texts[row.lead :]:
        actors.append(state.turn is you)
        state = state.play(text)
    turns = groupby(zip(actors, row.texts, strict=True), key=lambda each: each[0])
    return ShownAnswer(
        row.pk, tuple((own, " ".join(text for _own, text in texts)) for own, texts in turns), "", row.is_dropped
    )


@never_cache
@require_safe
def answer_state(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the part of the page about answers given beforehand; it is empty for those who do not play."""
    match, player = get_match(match_id), current_player(request)
    beforehand = beforehand_of(match, match.side_of(player.pk if player else None))
    return render(request, "matches/parts/beforehand.html", {"match": match, "beforehand": beforehand})


@button
def give_answer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Give an answer beforehand."""
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise UnreadableMove(_("This cannot be read as moves."))
    kind, texts = form.cleaned_data["kind"], form.cleaned_data["texts"]
    match = give_answers(
        match_id=match_id,
        player=require_player(request),
        ply=form.cleaned_data["ply"],
        lines=[texts] if kind in ("", LINE) else [],
        decisions={} if kind in ("", LINE) else {kind: texts},
        now=current_moment(),
    )
    return redirect(match)


@button
def remove_answer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Remove an answer that was given beforehand."""
    form = RemovedAnswerForm(request.POST)
    if not form.is_valid():
        raise UnreadableMove(_("There is no such answer."))
    answer_id = form.cleaned_data["answer"]
    return redirect(
        remove_answers(match_id=match_id, player=require_player(request), answer_id=answer_id, now=current_moment())
    )
