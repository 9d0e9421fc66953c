"""Simpler collision shapes of links, with certified errors on both sides."""
