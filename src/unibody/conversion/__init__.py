"""Writing and converting models, and measuring what was lost."""
