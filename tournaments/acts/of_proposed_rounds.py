"""The acts of organisers on a round before it is published, in the order in which pages offer them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.acts.act import Act
from tournaments.acts.inputs import PairingsVersion, PlacedPlayer, Reason
from tournaments.acts.kinds import PROPOSED_ROUND, PUBLISHED_ANSWER
from tournaments.services.organised_rounds.pairings import draw_round_again, publish_round, swap_players

PROPOSED_ROUND_ACTS: tuple[Act, ...] = (
    Act(
        "publish",
        "publish_round",
        PROPOSED_ROUND,
        title=_("Publish"),
        question=_(
            "Everybody sees who meets whom. If the cup runs, the matches begin, and the days of the round count from "
            "now. If the pairings differ from the draw, say why."
        ),
        done=_("The round is published."),
        service=publish_round,
        inputs={"version": PairingsVersion(), "reason": Reason(required=False)},
        own_answer=PUBLISHED_ANSWER,
        is_next=True,
    ),
    Act(
        "swap",
        "swap_players",
        PROPOSED_ROUND,
        title=_("Swap two players"),
        question=_(
            "Each of the two takes the other’s place: the opponent and the side, or the bye. Two who meet each other "
            "change sides."
        ),
        done=_("The players are swapped."),
        service=swap_players,
        inputs={
            "first": PlacedPlayer(_("Player")),
            "second": PlacedPlayer(_("takes the place of")),
            "reason": Reason(required=False),
        },
    ),
    Act(
        "draw-again",
        "draw_round_again",
        PROPOSED_ROUND,
        title=_("Draw again"),
        question=_(
            "The round is drawn anew from what is true now: with those who have come, without those who have left, and "
            "without changes made by hand."
        ),
        done=_("The round is drawn again."),
        service=draw_round_again,
        inputs={"reason": Reason(required=False)},
    ),
)
