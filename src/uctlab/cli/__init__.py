"""The command line: the program `uctlab`, with one file per subcommand."""
