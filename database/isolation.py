"""Work on many rows of which one that fails stops none of the others: every sweep finds and does so."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import structlog

logger = structlog.get_logger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")


def attempt_each(items: Iterable[Item], do: Callable[[Item], Result], *, event: str, key: str) -> Iterator[Result]:
    """Yield what ``do`` returns for each of the items; a failure is logged as the event, and yields nothing.

    ``key`` names the item in the log, which has its id if it is a row. Whatever has to be found out of an item by more
    than a query belongs into ``do``, and so does the transaction.
    """
    for item in items:
        try:
            result = do(item)
        except Exception:
            logger.exception(event, **{key: getattr(item, "pk", item)})
        else:
            yield result
