"""Planning: collision-free paths with proved edges, shortened, timed, exchanged with other planners."""
