"""The acts of organisers on a round before it is published, in the order in which pages offer them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.decisions.services.pairings import draw_round_again, publish_round, swap_players
from tournaments.desk.acts.act import Act
from tournaments.desk.acts.inputs import PairingsVersion, PlacedPlayer
from tournaments.desk.acts.kinds import PROPOSED_ROUND, PUBLISHED_ANSWER
from tournaments.office.inputs import Reason

PROPOSED_ROUND_ACTS: tuple[Act, ...] = (
    Act(
        "publish",
        "publish_round",
        PROPOSED_ROUND,
        title=_("Publish"),
        question=_(
            "Everybody can see the pairings. If the cup is running, the matches begin, and the round’s days "
            "count from now. If the pairings differ from the draw, give a reason."
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
        question=_("The two players swap places: opponent and side, or bye. If they play each other, they swap sides."),
        done=_("The players are swapped."),
        service=swap_players,
        inputs={
            "first": PlacedPlayer(_("Player")),
            "second": PlacedPlayer(_("swaps places with")),
            "reason": Reason(required=False),
        },
    ),
    Act(
        "draw-again",
        "draw_round_again",
        PROPOSED_ROUND,
        title=_("Draw again"),
        question=_(
            "The round is drawn again from the players who are in the competition now. Changes made by hand are lost."
        ),
        done=_("The round is drawn again."),
        service=draw_round_again,
        inputs={"reason": Reason(required=False)},
    ),
)
