"""Notes which lines of the site the tests run, for ``coverage report``: script/test loads it with ``-p`` to measure.

SlipCover takes its probes out of what has been run. Coverage's own tracer is called for every line and every call, of
Django as well, as often as they come, which takes as much time as the tests.
"""

import os
from pathlib import Path

import pytest
import slipcover
from coverage import Coverage, CoverageData

_options = Coverage()
_sources = _options.get_option("run:source")
_omitted = _options.get_option("run:omit")
_lines = slipcover.Slipcover(source=_sources, omit=_omitted)
# From now on: pytest-django imports the site before any hook of a test comes.
slipcover.ImportManager(_lines, slipcover.FileMatcher(sources=_sources, omit=_omitted)).__enter__()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Write the lines that this process has run, and the names of all files that it could have run lines of."""
    data = CoverageData(suffix=os.environ.get("PYTEST_XDIST_WORKER", "main"))
    data.add_lines(
        {str(Path(name).resolve()): file["executed_lines"] for name, file in _lines.get_coverage()["files"].items()}
    )
    data.write()
