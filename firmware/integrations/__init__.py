"""Clients that publish the table's moments to other programs."""
