"""The pages of ladders, cups and ratings.

What a service refuses is raised on: ``config.refusals`` makes a page of it.
"""
