"""Bridges to other libraries, each in a module that needs that library."""
