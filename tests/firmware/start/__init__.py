"""Whole tables: started, killed, stopped, besieged."""
