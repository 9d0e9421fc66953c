"""Simulation of robots: controls and recorded runs."""
