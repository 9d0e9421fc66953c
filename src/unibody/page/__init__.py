"""The page that shows a robot: its data, its one-file export, and the loopback server."""
