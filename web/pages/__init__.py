"""What pages need: lists, refusals, content policy, static files."""
