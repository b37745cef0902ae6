"""How dates, times and numbers are written, a package for each language."""
