"""A full disk under the files of metrics takes no process and no request down."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

COUNT = """
import sys
from operations import metric_files
metric_files.RETRY_DELAY = 0.0
from pathlib import Path
import django
directory = Path(sys.argv[1])
filler = directory / "filler"
def fill():
    with filler.open("ab", buffering=0) as file:
        try:
            while file.write(bytes(512)):
                pass
        except OSError:
            pass
if sys.argv[2] == "from the start":
    fill()
django.setup()
from operations import metrics
metrics.TASKS.labels("before", "ok").inc()
fill()
for number in range(2000):
    metrics.TASKS.labels(f"full {number}", "ok").inc()
metrics.TASKS.labels("before", "ok").inc()
metrics.render_counted()
filler.unlink()
metrics.TASKS.labels("after", "ok").inc()
print(metrics.render_counted().decode())
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a directory on a disk of its own that has room for some hundred values."""
    disk = tmp_path / "metrics"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], check=False, capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr}")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("full", ["from the start", "later"])
def test_a_process_counts_on_while_the_disk_is_full_and_writes_it_down_afterwards(full, small_disk, tmp_path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path / "data"),
        "METRICS_DIR": str(small_disk),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-c", COUNT, str(small_disk), full]
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert 'kickabout_tasks_total{outcome="ok",task="before"} 2.0' in done.stdout
    assert 'kickabout_tasks_total{outcome="ok",task="full 1999"} 1.0' in done.stdout
    assert 'kickabout_tasks_total{outcome="ok",task="after"} 1.0' in done.stdout
