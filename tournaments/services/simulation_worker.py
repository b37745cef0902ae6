"""``python -m tournaments.services.simulation_worker FILE worker …``: Celery, by the time of a simulated site.

``FILE`` is that of the clock; what follows are Celery's own words.
"""

from __future__ import annotations

import sys
from pathlib import Path

from celery.__main__ import main

from tournaments.services.simulation_clock import SimulatedClock

if __name__ == "__main__":
    SimulatedClock(Path(sys.argv.pop(1))).install()
    main()
