"""MPK, the Motion Planning Kit: robots (.rob), scenes and plans."""
