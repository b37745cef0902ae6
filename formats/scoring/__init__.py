"""What results are worth, and how they order a table: points, tie-breaks, standings and their reasons."""
