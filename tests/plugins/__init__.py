"""Games from outside, as strangers write and install them."""
