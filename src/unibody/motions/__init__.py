"""Motions: configurations over time, and the notations of files that hold them."""
