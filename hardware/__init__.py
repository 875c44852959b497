"""The physical things and their stand-ins."""
