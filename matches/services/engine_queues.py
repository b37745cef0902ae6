"""Fair queues for engine jobs: clients take turns, and cheap jobs go before expensive ones.

A message says only that something waits. The worker that gets it claims the next row, so messages may come late, twice,
in any order or never, and nobody gains by sending many of them.

The queue knows how much each client has used. The client that has used least is next; among equals the one with the
cheaper job, then the one that has waited longest. The cost of a claimed job is added to what its client has used. A new
or returning client starts at the queue's clock, so that nobody saves up. (This is start-time fair queueing.)
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Case, CharField, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast, Coalesce, Concat, Greatest

from matches.models import EngineQueue, EngineShare, QueueName


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next row of a queue: its id, its client, what that client has used before it, and its cost."""

    pk: int
    client: str
    begins: int
    cost: int


def lock_queue(name: QueueName) -> EngineQueue:
    """Return a queue, locked until the transaction ends, so that hosts claim one after the other."""
    queue, _is_new = EngineQueue.objects.select_for_update().get_or_create(name=name)
    return queue


def client_of(player_id: str, digest: str) -> Case:
    """Return an expression for the client of a row: its player, or the client network of a guest if it is known.

    ``player_id`` and ``digest`` are names of columns or annotations of the row.
    """
    by_player = Concat(Value("player "), Cast(player_id, CharField()))
    by_network = Concat(Value("network "), F(digest), output_field=CharField())
    return Case(When(**{digest: ""}, then=by_player), default=by_network, output_field=CharField())


def find_next(queue: EngineQueue, waiting: QuerySet[Any], *order: Any) -> Waiting | None:
    """Return the next of the waiting rows, locked; ``None`` if none waits.

    Rows are annotated with ``client`` and ``cost``; ``order`` decides between rows of the same cost. A row that another
    transaction has locked is skipped, so that a long transaction keeps nobody waiting.
    """
    used = EngineShare.objects.filter(queue=queue, client=OuterRef("client")).values("used")
    begins = Greatest(Coalesce(Subquery(used), 0), Value(queue.clock), output_field=BigIntegerField())
    ordered = waiting.annotate(begins=begins).order_by("begins", "cost", *order, "pk")
    free = ordered.select_for_update(of=("self",), skip_locked=True, no_key=True)
    row = free.values_list("pk", "client", "begins", "cost").first()
    return None if row is None else Waiting(*row)


def charge(queue: EngineQueue, claimed: Waiting) -> None:
    """Add the cost of a claimed row to what its client has used."""
    used = claimed.begins + claimed.cost
    if not EngineShare.objects.filter(queue=queue, client=claimed.client).update(used=used):
        EngineShare.objects.create(queue=queue, client=claimed.client, used=used)
    EngineQueue.objects.filter(pk=queue.pk).update(clock=claimed.begins)


def forget_shares(name: QueueName, *, is_empty: bool) -> None:
    """Delete the shares that make no difference: those behind the clock, or all of them if the queue is empty."""
    shares = EngineShare.objects.filter(queue__name=name)
    if not is_empty:
        shares = shares.filter(used__lte=F("queue__clock"))
    shares.delete()
