"""The text form of USD layers."""
