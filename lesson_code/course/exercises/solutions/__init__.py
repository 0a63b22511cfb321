"""A solution of each exercise, with the reasons as comments: `ex.solution()` shows it."""
