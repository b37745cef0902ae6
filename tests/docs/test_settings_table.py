"""The table of environment variables in docs/operating.md is complete and says nothing else."""

import re

from tests.docs.texts import ROOT, table

READ = re.compile(r"\benv(?:\.\w+)?\(\s*\"([A-Z0-9_]+)\"")


def test_the_table_names_the_variables_that_the_settings_read():
    read = set(READ.findall((ROOT / "config" / "settings.py").read_text()))
    rows = table((ROOT / "docs" / "operating.md").read_text(), "settings")
    assert read
    assert sorted(name.strip("`") for name, *_ in rows) == sorted(read)
