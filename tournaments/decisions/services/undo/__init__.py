"""Take back what organisers did: what followed from it is derived again without it."""
