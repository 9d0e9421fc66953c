"""Collisions of robots and obstacles, distances, and exact checks of motions; needs coal and Pinocchio."""
