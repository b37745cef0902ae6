"""Web Push: what concerns players is told on their devices while no page of the site is open."""
