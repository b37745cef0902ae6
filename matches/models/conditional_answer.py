"""Answers that players give beforehand, to moves that their opponents have not played yet."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.match import Match
from rules_engine.protocol import MAX_SUMMARY_LENGTH, State


class ConditionalAnswer(models.Model):
    """What a player wants to be played if a match comes to a position, or to a kind of decision. Nobody else sees it.

    ``texts`` are the actions of both sides from the position at ``ply`` on, of which the first ``lead`` lead to the
    ``position`` that is answered by the next one; it may go on from there. The answer to a ``decision`` has the own
    actions alone, and stands until it is removed. A line that something else came for ``is_dropped``: it is kept until
    its player moves, to tell them.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="conditional_answers")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    ply = models.PositiveIntegerField(_("ply"))
    texts = models.JSONField(_("actions"))
    lead = models.PositiveSmallIntegerField(_("actions before the answer"), default=0)
    position = models.TextField(_("position"), blank=True)
    position_summary = models.CharField(_("summary of the position"), max_length=MAX_SUMMARY_LENGTH, blank=True)
    decision = models.CharField(_("kind of decision"), max_length=20, blank=True)
    is_dropped = models.BooleanField(_("dropped"), default=False)

    class Meta:
        verbose_name = _("conditional answer")
        verbose_name_plural = _("conditional answers")
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["match", "player", "decision"], condition=~Q(decision=""), name="one_answer_to_a_decision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ply}. {self.decision or ' '.join(self.texts)}"

    @property
    def answer(self) -> str:
        """Return the action that answers the position."""
        return str(self.texts[self.lead])

    @property
    def state(self) -> State:
        """Return the position that is answered, as a state of the game."""
        return self.match.rules.resume(self.position, self.position_summary)

    def begin_at(self, ply: int, texts: list[str], lead: int, answered: State) -> None:
        """Let the line begin at a ply and lead to the state that it answers first."""
        self.ply, self.texts, self.lead = ply, texts, lead
        self.position, self.position_summary = str(answered), answered.summary
