"""Paper Soccer: players draw the way of a ball on paper, and it bounces where it has been before."""

from rules_engine.paper_soccer.game import FIRST_TO_THREE, ONE_POINT
from rules_engine.paper_soccer.spec import SPEC

__all__ = ["FIRST_TO_THREE", "ONE_POINT", "SPEC"]
