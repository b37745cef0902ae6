"""Metrics of matches."""

from prometheus_client import Histogram

MOVE_SECONDS = Histogram(
    "kickabout_move_seconds",
    "How long it took to play and store a move that was accepted.",
    ["game"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
