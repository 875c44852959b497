"""Data stored by earlier versions is still read correctly."""
