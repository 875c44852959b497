"""The eyes as a process: messages, the work on each frame, and who watches over it."""
