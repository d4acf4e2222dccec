"""Numba intrinsics: the instructions that stand for a primitive in compiled code.

Each file has those for the file of the same name one folder up, which has their Python twins under
the same names. A kernel's digest counts both files whole, so a file here imports nothing else of
uctlab. These files load Numba; nothing imports them before a kernel is compiled.
"""
