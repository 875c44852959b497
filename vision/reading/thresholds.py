"""Thresholds for deciding whether a place holds a card, and which one.

Each entry gives the unit, the meaning and the evidence. "Chosen" means that no measurement of that value is on
record; `tests/vision/reading` and `python -m tests.bench vision` still cover all values together. Units:
correlation: 1 is an exact match, 0 none, -1 the inverse. share: of a card's cells, 0 to 1.
distance: between cells in weighted Lab, whose channels run from about 0 to 1.
diagonal: of a card, in the picture.
"""

# is a place worth a look?

PLACE_FIT = 0.6
"""Correlation with the likeliest face. A place that fits less isn't examined. Chosen."""
WHOLE_PLACE_FIT = 0.3
"""Correlation. The same for a fully visible place: thin lines leave their cells if an outline is slightly off.

Of thin-lined drawn cards whose corners are off by 2 % of the width, half fit less than 0.63, a tenth less than
0.22. The value is chosen.
"""
MOVED_PLACE_FIT = 0.8
"""Correlation. The same for a place that was moved onto the face it resembles. Chosen."""
LEAST_SHARE = 0.13
"""Share. Cards of which less is visible aren't examined; trials of a deck go down to an eighth. Chosen."""
FRUITLESS_LOOKS = 12
"""Places in a row without a card after which a search ends: the rest is even less likely. Chosen."""
GLANCE_LIKELIHOOD = 0.9
"""Correlation. A whole place that fits better may be compared in the first batch. Chosen."""
BESIDE_DISTANCE = 0.5
"""Diagonals. Cards whose middles are farther apart lie beside each other. Chosen."""
GLIMPSE_BATCH = 10
"""Covered places compared coarsely in one call: most of the cost is the call itself. Chosen."""
SAME_SPOT_DISTANCE = 0.02
"""Diagonals. A look at a place this near to an earlier one shows the same. Chosen."""
CLEARER_BY = 0.03
"""Correlation. A face denied at a place is examined nearby only if it seems this much likelier. Chosen."""
NEARBY_SHARE = 0.6
"""Share. Two places that have more in common are near each other. Chosen."""
NEAR_CARD = 1.2
"""Diagonals of a card's bounding box. A card may cover places whose middles are nearer. Chosen."""

# is it a card?

COVERED_BELOW = 0.97
"""Share. A card of which less is visible counts as covered.

Certainty is learned apart for covered cards: learned together, it was too high for half-covered cards and too
low for whole ones. The value is chosen.
"""
LEAST_WIDTH = 20
"""Pixels along a card's shorter side. Smaller outlines are no cards. Chosen."""
LEAST_CELL = 0.6
"""Pixels along a fine cell's shorter side. Cards in fewer have no name: trials of a deck go down to it."""
LARGEST_SHARE = 0.4
"""Share of the largest certain card's shorter side. Smaller certain cards in one picture are print. Chosen."""
CARD_FIT = 0.6
"""Correlation of the visible cells. A card that fits less isn't of this deck. Chosen."""
FAIR_FIT = 0.7
"""Correlation. Above it, CARD_MISFIT and FOREIGN_DIFFERENCE don't apply.

Cameras intensify strong colours: without this exception, 112 coloured cards in a webcam's photographs weren't
recognized as cards. The value is chosen.
"""
CARD_MISFIT = 0.16
"""Distance, mean of the visible cells. A card that differs more isn't of this deck. Chosen."""
FOREIGN_DIFFERENCE = 0.3
"""Distance, in the most different spot. A card that differs more isn't of this deck. Chosen."""
LEAST_INDEX_FIT = 0.75
"""Correlation of an index corner. It marks an unnamed covered card as a card. Chosen."""
DOUBTFUL_SHARE = 0.4
"""Share. Unnamed covered cards of which less is visible aren't reported. Chosen."""
DOUBTFUL_FIT = 0.8
"""Correlation. Unnamed covered cards that fit less aren't reported. Chosen."""
DOUBTFUL_LOOKS = 8
"""Unnamed covered cards that get a second look, the best first. Chosen."""

# does a card without a name cover others?

PLACED_FIT = 0.9
"""Correlation of the visible cells above which its position is certain. Chosen."""
PLACED_SCORE = 0.88
"""Correlation of the features that set its face apart, for the same. Chosen."""
PLACED_DIFFERENCE = 0.15
"""Distance, in the most different spot, below which its position is certain. Chosen."""

# is its name certain?

SLIVER_SHARE = 0.3
"""Share. Cards of which less is visible need SLIVER_CERTAINTY: covering edges are less exact than in trials.

Chosen.
"""
SLIVER_CERTAINTY = 0.95
"""Probability that the name is right. Chosen, with trials of cards of which down to an eighth is visible."""
CLEAR_CERTAINTY = 0.99
"""Probability. Cards named with less are sought again on the plane that they give, where outlines don't slant.

Without this, a striped photographed shape was read as an open one, at 0.917. The value is chosen.
"""
CERTAIN_LEAD = 0.45
"""Lead over other faces, 1 for an exact match, below which no name of a whole card is certain.

In trials of eight of our decks and two drawn ones, 1 of 25 certain names below it was wrong, 2 of 1,416 above.
"""
BEYOND_TRIALS = 1.5
"""Factor. Largest shortfall of a named card, relative to the worst in trials of its and usual decks.

A table's light is worse than that of trials. The value is chosen. Of 4,044 cards of eight decks, each taught
without a third of its faces (2026-11-30), 57.4 % of the taught ones were certain and right, 1.2 % certain and
wrong, and 3.1 % of the untaught ones certain; without this limit 58.7, 1.2 and 3.2 %. Line drawings gave most.
"""
LEAST_MARGIN = 0.15
"""Lead over other faces, 1 for an exact match. With a smaller one, impossible faces still count. Chosen."""
COVERED_BACK_SCORE = 0.94
"""Correlation. A covered back must fit better: its pattern fits in many places, and it has no index. Chosen."""
COVERED_BACK_SHARE = 0.25
"""Share of a covered back that must be visible. Chosen."""
OTHER_BACK_FIT = 0.85
"""Correlation. A back that fits less and exceeds OTHER_BACK_DIFFERENCE is another deck's.

Dark, finely printed two-coloured patterns of different decks correlate by 0.7 to 0.83. Of 450 own backs on
crowded tables, the two limits reject seven, all in glare or noise.
"""
OTHER_BACK_DIFFERENCE = 0.17
"""Distance, in the most different spot; see OTHER_BACK_FIT."""
TWICE_SHARE = 0.5
"""Share. A sliver this far under a certain card of the same face is it, even if there are two. Chosen."""
SAME_CARD_SHARE = 0.9
"""Share. An unnamed card this far under a named one of the same face is that card. Chosen."""
DOUBLE_SHARE = 0.35
"""Share. An unnamed card this far under a named one may be that card. Chosen."""

# which face is it?

OWN_ROWS = 3
"""Templates of the likeliest face that are compared exactly. Chosen."""
RIVAL_ROWS = 5
"""Templates of other faces that are compared exactly. Chosen."""
PRINTED_SPREAD = 0.05
"""Distance, root mean square. A corner that varies less holds no index. Chosen."""
INDEX_SHARE = 0.85
"""Share of an index corner's cells that must be visible. Chosen."""
PLAIN_MARGIN = 0.8
"""Lead of the nearest face above which templates aren't softened to the picture's blur. Chosen."""
FAINT_CONTRAST = 0.14
"""Distance, root mean square. The fit of a face whose cells vary less is measured without its light. Chosen."""
FAINT_MISFIT = 0.014
"""Distance. A smaller misfit counts as none: paper and camera noise differ as much. Chosen."""
DEPTH_CHANGE = 0.2
"""Natural logarithm of a ratio. How much less another row's depth of print must change to replace the best.

Without this rule, five of a hundred pale signs of a drawn deck were read as solid, one of them as certain. The
value is chosen.
"""
DEPTH_RATIO = 1.1
"""Factor. How much worse that row may fit; see DEPTH_CHANGE."""
FITS_NO_ROW = 0.2
"""Distance. A cell farther from every row, such as glare, isn't compared. Chosen."""
PRINT_NOISE = 0.03
"""Distance between two pictures of the same print in one cell.

Cells count by how far rows differ beyond it. With this weighting, 88.6 % of the cards of a drawn deck whose
faces differ in their corners were certain, before 78.4 %. The value is chosen.
"""
SMOOTH_SHARE = 0.14
"""Share of a slowly changing difference that counts; squared, a fiftieth. It may be light, not print.

When all of it counted, 20 of 310 certain names of a look-alike deck were wrong. The value is chosen.
"""
SMOOTH_PENALTY = 0.01
"""Weight per cell of the smooth fit's preference for zero; it matters when few cells are visible. Chosen."""
SMOOTH_WAVES = 4, 3
"""Waves down and across that count as slowly changing: half a card's width and longer. Chosen."""
FAINT_DIFFERENCE = 0.15 / 5544
"""Squared distance per cell. Rows that differ less are distinguished by noise alone. Chosen."""
