"""What a learner sees and touches."""
