"""Composes stages with OpenUSD, in a process of its own."""
