"""Shared by every Python test."""
