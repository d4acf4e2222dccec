"""Functions that people import from uctlab: matches, tuning, searches and reports."""
