"""The world by other hands: cards that others drew, photographed through distortions that others wrote."""
