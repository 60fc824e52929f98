"""The figures that numbra promises, by what they are about."""
