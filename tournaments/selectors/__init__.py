"""Reading competitions: lists, tables, brackets, and what comes next. Nothing here writes."""
