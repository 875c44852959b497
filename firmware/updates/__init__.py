"""Updates: versions side by side, one link that says which one runs, and the way back."""
