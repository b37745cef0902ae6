"""Making competitions: drafts, recipes, copies, series and their seasons."""
