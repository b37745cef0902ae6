"""The pages of ladders, cups and ratings.

What a service refuses is raised on: ``web.refusal_pages`` makes a page of it.
"""
