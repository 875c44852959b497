"""The drawings of boards, and the layout of their strip boards; not in the wheel, which has what was drawn."""
