"""How much work is done on each pair of links by default; imports nothing, for the command's help."""

#: Random configurations of each pair, and cells of its proof, at most.
SAMPLES, CELLS = 10_000, 20_000
