"""The endpoint of answers that a player gives beforehand, which nobody else sees."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from matches.api.serializers import ConditionalAnswersSerializer
from matches.errors import NotYourMatch
from matches.schemas.conditional_answer import ConditionalAnswersSchema, conditional_answers_to_json
from matches.selectors.matches import get_match
from matches.services.conditional_answers import remove_answers, set_answers
from players.current_player import require_player
from web.api.idempotency.decorator import answered_whole
from web.api.strict_views import StrictView


class ConditionalAnswersView(StrictView):
    """Your answers to moves that have not been played yet."""

    private = True

    @extend_schema(responses=ConditionalAnswersSchema, operation_id="get_conditional_answers")
    def get(self, request: Request, match_id: int) -> Response:
        """Get what you have given beforehand in a match of yours, and the decisions that you can answer."""
        match, player = get_match(match_id), require_player(request)
        if match.side_of(player.pk) is None:
            raise NotYourMatch(_("You do not play in this match."))
        return Response(conditional_answers_to_json(match, player))

    @extend_schema(
        request=ConditionalAnswersSerializer,
        responses=ConditionalAnswersSchema,
        operation_id="set_conditional_answers",
    )
    @answered_whole
    def put(self, request: Request, match_id: int) -> Response:
        """Replace all that you have given beforehand.

        A line is played as far as your opponent plays along; each answer with the move that it answers, on your clock
        in no time. No line goes on beyond a roll of dice.
        """
        data, player = self.read_body(), require_player(request)
        decisions = {each["kind"]: each["texts"] for each in data["decisions"]}
        match = set_answers(
            match_id=match_id,
            player=player,
            ply=data["ply"],
            lines=data["lines"],
            decisions=decisions,
            now=current_moment(),
        )
        return Response(conditional_answers_to_json(match, player))

    @extend_schema(request=None, responses={200: ConditionalAnswersSchema}, operation_id="remove_conditional_answers")
    @answered_whole
    def delete(self, request: Request, match_id: int) -> Response:
        """Remove all that you have given beforehand."""
        player = require_player(request)
        match = remove_answers(match_id=match_id, player=player, now=current_moment())
        return Response(conditional_answers_to_json(match, player))
