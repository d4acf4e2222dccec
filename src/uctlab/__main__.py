"""`python -m uctlab` is the command uctlab."""

from uctlab.cli.start import main

main()
