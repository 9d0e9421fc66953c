"""The page that shows a robot: its data, the file it goes out in, and the server for one reader."""
