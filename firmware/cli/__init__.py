"""The command `coyote`; each subcommand has its own file."""
