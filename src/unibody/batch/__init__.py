"""Work on many files: which they are, the work itself on any executor, and the record of a run."""
