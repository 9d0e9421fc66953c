"""Choreonoid Body files."""
