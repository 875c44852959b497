"""The referee of Coyote Table: rules, pure."""
