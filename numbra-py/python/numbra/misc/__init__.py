"""Special functions that compiled code recognises."""
