"""The referee of Coyote Table: pure rules, without input or output."""
