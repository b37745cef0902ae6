"""The forms of dates, times and numbers, a package for each language."""
