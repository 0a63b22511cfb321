"""The harness that the six lessons build, and the laboratory where it is killed."""
