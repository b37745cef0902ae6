"""What the rows of a competition say, in the form that formats take."""
