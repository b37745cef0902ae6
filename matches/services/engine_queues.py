"""Fair queues for the engines: each client in turn, and whoever asks for little before those who ask for much.

A message says only that something waits. The worker that gets it claims what is next by the rows, so messages may come
late, twice, in any order or never, and nobody gains by sending many of them.

Of each client is known how much it has used. The one that has used least is next, the one that asks for less first
among equals, and then the one that has waited longest; what a client gets is added to what it has used. Whoever
comes new, or comes back, begins at the queue's clock, so that nobody saves up. (This is start-time fair queueing.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Case, CharField, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast, Coalesce, Concat, Greatest

from matches.models import EngineQueue, EngineShare, QueueName


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is next in a queue: the number of its row, what its client will have used, and that client."""

    pk: int
    client: str
    begins: int
    cost: int


def lock_queue(name: QueueName) -> EngineQueue:
    """Return a queue, locked until the transaction ends: claims come one after the other, by whatever host."""
    queue, _is_new = EngineQueue.objects.select_for_update().get_or_create(name=name)
    return queue


def client_of(player_id: str, digest: str) -> Case:
    """Return the expression for whom a row works: its player, or the client network of a guest if it is known.

    Both are given by the names of what the row is annotated with.
    """
    by_player = Concat(Value("player "), Cast(player_id, CharField()))
    by_network = Concat(Value("network "), F(digest), output_field=CharField())
    return Case(When(**{digest: ""}, then=by_player), default=by_network, output_field=CharField())


def find_next(queue: EngineQueue, waiting: QuerySet[Any], *order: Any) -> Waiting | None:
    """Return what is next of the rows that wait, locked; ``None`` if none does.

    They are annotated with ``client`` and ``cost``; ``order`` decides among what costs a client the same. A row that
    another transaction holds is passed over: a long one must not keep everybody waiting.
    """
    used = EngineShare.objects.filter(queue=queue, client=OuterRef("client")).values("used")
    begins = Greatest(Coalesce(Subquery(used), 0), Value(queue.clock), output_field=BigIntegerField())
    ordered = waiting.annotate(begins=begins).order_by("begins", "cost", *order, "pk")
    free = ordered.select_for_update(of=("self",), skip_locked=True, no_key=True)
    row = free.values_list("pk", "client", "begins", "cost").first()
    return None if row is None else Waiting(*row)


def charge(queue: EngineQueue, claimed: Waiting) -> None:
    """Note what the client has used by what was claimed for it."""
    used = claimed.begins + claimed.cost
    if not EngineShare.objects.filter(queue=queue, client=claimed.client).update(used=used):
        EngineShare.objects.create(queue=queue, client=claimed.client, used=used)
    EngineQueue.objects.filter(pk=queue.pk).update(clock=claimed.begins)


def forget_shares(name: QueueName, *, is_empty: bool) -> None:
    """Delete the shares that make no difference: those the clock has passed, and all of them where nothing waits."""
    shares = EngineShare.objects.filter(queue__name=name)
    if not is_empty:
        shares = shares.filter(used__lte=F("queue__clock"))
    shares.delete()
