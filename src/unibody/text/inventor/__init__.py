"""Open Inventor, ASCII and binary."""
