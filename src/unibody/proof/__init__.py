"""Proof that physics engines make of a written model what unibody makes of it.

Each engine loads the file itself, in a process of its own (``loaders/``), and what it has is compared with
the mechanism at random states. Known slips of importers name the cause of what differs.
"""
