"""``python -m simulations.worker FILE PARENT worker …``: Celery, by the time of a simulated site.

``FILE`` is that of the clock, and ``PARENT`` the id of the process that has started it, in a session of its own: when
that is gone, however it has ended, this one ends with all that it has started. The rest are Celery's own arguments.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from celery.__main__ import main

from simulations.clock import SimulatedClock

WATCH_INTERVAL = 0.5


def end_without(parent: int) -> None:
    """Kill this process and its children as soon as it is not that process's child any more."""
    while os.getppid() == parent:
        time.sleep(WATCH_INTERVAL)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    SimulatedClock(Path(sys.argv.pop(1))).install()
    threading.Thread(target=end_without, args=(int(sys.argv.pop(1)),), daemon=True).start()
    main()
