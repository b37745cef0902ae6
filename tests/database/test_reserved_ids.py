"""Ids that are reserved for rows that are stored later."""

from itertools import chain
from threading import Barrier, Thread

import pytest
from django.db import connection, transaction

from database.reserved_ids import reserve_ids
from players.models import Player

pytestmark = pytest.mark.both_databases


@pytest.mark.django_db
def test_reserved_ids_are_given_to_no_other_row():
    before = Player.objects.create(username="anna")
    reserved = reserve_ids(Player, 3).ids
    after = Player.objects.create(username="piotr")
    again = reserve_ids(Player, 2).ids
    assert len({before.pk, *reserved, after.pk, *again}) == 7
    Player.objects.bulk_create(Player(pk=number, username=f"player-{number}") for number in reserved)
    assert Player.objects.filter(pk__in=reserved).count() == 3


@pytest.mark.django_db
def test_ids_are_reserved_in_a_table_that_never_had_a_row():
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [Player._meta.db_table])
    reserved = reserve_ids(Player, 2).ids
    assert Player.objects.create(username="anna").pk not in reserved
    assert len({*reserved, *reserve_ids(Player, 2).ids}) == 4


@pytest.mark.django_db(transaction=True)
def test_after_a_rollback_ids_can_be_reserved_as_before():
    with transaction.atomic():
        reserve_ids(Player, 3)
        transaction.set_rollback(True)
    with transaction.atomic():
        reserved = reserve_ids(Player, 3).ids
        Player.objects.bulk_create(Player(pk=number, username=f"player-{number}") for number in reserved)
    assert Player.objects.create(username="anna").pk not in reserved


@pytest.mark.django_db(transaction=True)
def test_ids_are_reserved_only_in_a_transaction():
    with pytest.raises(RuntimeError, match="transaction"):
        reserve_ids(Player, 1)


@pytest.mark.django_db(transaction=True)
def test_transactions_that_reserve_ids_at_the_same_moment_get_different_ones():
    barrier = Barrier(4)
    given: list[list[int]] = []

    def reserve_and_store(name: str) -> None:
        try:
            barrier.wait()
            with transaction.atomic():
                reserved = reserve_ids(Player, 5).ids
                Player.objects.bulk_create(Player(pk=number, username=f"{name}-{number}") for number in reserved)
            given.append(reserved)
        finally:
            connection.close()

    threads = [Thread(target=reserve_and_store, args=[name]) for name in ("anna", "olga", "petra", "yusuf")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = Player.objects.filter(is_computer=False).values_list("pk", flat=True)
    assert sorted(chain.from_iterable(given)) == sorted(stored)
    assert len(set(chain.from_iterable(given))) == 20
