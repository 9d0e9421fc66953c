"""Checks of a neutral robot that need no mesh data."""
