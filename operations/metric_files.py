"""The files in which the processes of a host keep their metrics, on a disk that may be full.

The client library maps files into memory that have no room on the disk yet. Where there is none, writing to such memory
kills the process. Here room is taken first; as long as there is none, the numbers are kept in the process.
"""

import os
from contextlib import suppress
from math import inf
from pathlib import Path
from time import monotonic

import structlog
from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

RETRY_DELAY = 60.0
"""Seconds after which it is tried again to write."""

MIN_SIZE = 1 << 16
"""The bytes with which a file begins: as many as the library's own."""

VALUE_SIZE = 32
"""More bytes than a value takes beside its key."""

logger = structlog.get_logger(__name__)

Value = tuple[float, float]


class AllocatedDict(MmapedDict):
    """The library's dict in a file, which has its room before it is written to. Raises ``OSError`` if there is none."""

    def __init__(self, filename: str) -> None:
        with Path(filename).open("a+b") as file:
            _take_room(file.fileno(), max(MIN_SIZE, os.fstat(file.fileno()).st_size))
        super().__init__(filename)  # type: ignore[no-untyped-call]

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        """Write a value, of a new key only if there is room for it."""
        if key not in self._positions:
            capacity = self._capacity
            while self._used + len(key.encode()) + VALUE_SIZE > capacity:
                capacity *= 2
            _take_room(self._f.fileno(), capacity)
        super().write_value(key, value, timestamp)  # type: ignore[no-untyped-call]


class MetricFile:
    """What the library uses as its dict: it writes to a file as soon as that can be, and never fails."""

    def __init__(self, filename: str) -> None:
        """Use the file of this name."""
        self._filename = filename
        self._unwritten: dict[str, Value] = {}
        self._file: AllocatedDict | None = None
        self._retry_at = -inf

    def read_value(self, key: str) -> Value:
        """Return a value and its timestamp; 0 if it is new."""
        if key in self._unwritten:
            return self._unwritten[key]
        if self._file is None or key not in self._file._positions:  # noqa: SLF001 - the library has no other way
            self.write_value(key, 0.0, 0.0)
            return 0.0, 0.0
        found: Value = self._file.read_value(key)  # type: ignore[no-untyped-call]
        return found

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        """Write a value, or keep it until it can be written."""
        if self._file is not None and not self._unwritten and key in self._file._positions:  # noqa: SLF001 - as above
            self._file.write_value(key, value, timestamp)
            return
        self._unwritten[key] = value, timestamp
        if monotonic() < self._retry_at:
            return
        try:
            self._write()
        except OSError as error:
            self._retry_at = monotonic() + RETRY_DELAY
            logger.warning("metrics_not_written", file=self._filename, error=str(error))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()  # type: ignore[no-untyped-call]
            self._file = None

    def _write(self) -> None:
        if self._file is None:
            try:
                self._file = AllocatedDict(self._filename)
            except OSError:
                # Of an empty file the library's reader would make an error.
                with suppress(OSError):
                    Path(self._filename).unlink()
                raise
        for key, value in list(self._unwritten.items()):
            self._file.write_value(key, *value)
            del self._unwritten[key]


def _take_room(file: int, size: int) -> None:
    """Let a file have its room on the disk, where the system can. Raises ``OSError`` if there is none."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)


def keep_metrics_in(directory: str) -> None:
    """Let the metrics that are made from now on be kept in files of this directory, which is made if it can be."""
    with suppress(OSError):
        Path(directory).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
    values.MmapedDict = MetricFile  # type: ignore[assignment, attr-defined]
    values.ValueClass = values.get_value_class()
