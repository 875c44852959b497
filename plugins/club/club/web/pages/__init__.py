"""One module a page of the club."""
