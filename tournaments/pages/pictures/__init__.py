"""PURE: where the parts of brackets and plots are drawn, by templates; and the picture that links show, as PNG."""
