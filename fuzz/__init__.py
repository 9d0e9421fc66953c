"""Damaged model files by the hundred thousand: whatever they hold, unibody answers with findings.

``make fuzz`` runs it; README.md beside this file says how to reproduce a case and how to add a reader.
"""
