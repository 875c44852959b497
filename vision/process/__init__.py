"""The eyes as a process: messages, the work on each frame, and supervision."""
