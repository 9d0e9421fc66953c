"""Simulation of robots on MuJoCo: motion, contacts, sensors, controls and recorded runs."""
