"""Bridges to other libraries, each in a module that needs that library.

| file | what it is for |
| --- | --- |
"""
