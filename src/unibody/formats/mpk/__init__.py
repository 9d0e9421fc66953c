"""MPK, the Motion Planning Kit: robots (.rob), scenes and plans."""

from unibody.formats.mpk.plan import Plan, read_plan, write_plan

__all__ = ["Plan", "read_plan", "write_plan"]
