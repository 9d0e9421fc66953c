"""USD's text syntax, .usda."""
