"""The rules of Ogallala."""
