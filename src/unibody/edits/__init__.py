"""Edits of whole robots: rename, attach one robot to another, extract a subtree."""
