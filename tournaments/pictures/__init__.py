"""PURE: where the parts of brackets and plots are drawn. Templates draw them."""
