"""The functions that each lesson gives to begin with."""
