"""The club's pages get their doors: what they may ask of the hub's database."""
