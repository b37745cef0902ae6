"""The matches' pages. What a service refuses is raised on: ``web.refusal_pages`` makes a page of it."""
