"""The command `coyote`: a file for each subcommand."""
