"""Answers kept for requests that are sent again."""

from datetime import timedelta

import pytest

from matches.tasks import forget_old_responses
from tests.matches.conftest import NOON
from web.api.idempotency.responses import Answer, forget_responses, respond_once
from web.models import IdempotentResponse

pytestmark = pytest.mark.both_databases

DAY = timedelta(hours=24)


def test_an_answer_is_kept_for_24_hours_and_then_given_anew(anna):
    bodies = iter(["first", "second"])

    def ask(after: timedelta) -> str:
        return respond_once(
            player_id=anna.pk, key="k", fingerprint="f", now=NOON + after, answer=lambda: Answer(200, next(bodies))
        ).body

    assert ask(timedelta(0)) == "first"
    assert ask(DAY - timedelta(seconds=1)) == "first"
    assert ask(DAY) == "second"


def test_an_answer_that_raises_is_not_kept(anna):
    def fail() -> Answer:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        respond_once(player_id=anna.pk, key="k", fingerprint="f", now=NOON, answer=fail)
    assert not IdempotentResponse.objects.exists()


def test_old_answers_are_forgotten_and_others_are_not(anna):
    for key, age in (("old", DAY), ("young", DAY - timedelta(seconds=1))):
        respond_once(player_id=anna.pk, key=key, fingerprint="f", now=NOON - age, answer=lambda: Answer(200, "{}"))
    forget_responses(now=NOON)
    assert list(IdempotentResponse.objects.values_list("key", flat=True)) == ["young"]
    forget_old_responses()
    assert not IdempotentResponse.objects.exists()
