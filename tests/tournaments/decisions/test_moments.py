"""What can be done in competitions at moments of their lives."""

import random
from itertools import product

import pytest
from django.db import transaction
from django.test import override_settings

from tests.tournaments.decisions.moments import bring_to
from tests.tournaments.decisions.round_trips import FORWARD, offered_on
from tests.tournaments.verbs import make_olga

OFFERING = [
    ("challenge ladder", "going on"),
    ("league of teams", "before the start"),
    ("league of teams", "begun"),
    ("mini cup", "further on"),
    ("mini cup", "to the end"),
    ("round robin", "before the start"),
    ("round robin in rounds", "further on"),
    ("swiss", "before the start"),
    ("swiss by hand", "going on"),
]
"""Recipes and moments in which, together, every act is offered."""


@pytest.mark.nightly
@pytest.mark.django_db
def test_every_act_is_among_those_that_are_drawn():
    never = {act.operation for act in FORWARD}
    for seed, (name, moment) in product(range(9), OFFERING):
        with transaction.atomic(), override_settings(VACATION_DAYS=0):
            competition, now = bring_to(name, moment, random.Random(seed), make_olga())
            never -= {act.operation for act, _subjects in offered_on(competition, now)}
            transaction.set_rollback(True)
        if not never:
            break
    assert never == set()
