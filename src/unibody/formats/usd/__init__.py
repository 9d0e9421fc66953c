"""USD, the format of Isaac Sim, Newton and Omniverse for stages, with robots as UsdPhysics has them."""
