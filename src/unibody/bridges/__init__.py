"""Robots as models of physics engines, in memory: MuJoCo and Pinocchio."""
