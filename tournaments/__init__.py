"""Everything that creates matches and counts them: ladders, cups, ratings."""
