"""NumPy's side of the API."""
