"""The forms of dates and times in English."""
