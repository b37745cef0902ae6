"""Metrics of event streams."""

from prometheus_client import Counter, Gauge

OPEN_STREAMS = Gauge("kickabout_streams", "Event streams that are open.", multiprocess_mode="livesum")
DROPPED_STREAMS = Counter("kickabout_streams_dropped", "Streams dropped because their client was too slow.")
