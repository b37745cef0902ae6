"""The matches' pages. What a service refuses is raised on: ``config.refusals`` makes a page of it."""
