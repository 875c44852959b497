"""Which animal plays for a seat: none sits twice, and each keeps its own."""

from hypothesis import given
from hypothesis import strategies as some

from webui.drawing.bots import BOT_NAMES, animals_of

NAMES = some.lists(some.sampled_from((*BOT_NAMES, "Ana", "Bo", "Chloé", "Dédé", "Eve", "Fay")), unique=True)


@given(NAMES)
def test_no_animal_sits_twice_and_who_has_its_name_has_its_face(names: list[str]) -> None:
    animals = animals_of(names)
    seated = [animal for animal in animals if animal]
    assert len(animals) == len(names)
    assert sorted(seated) == sorted(set(seated))
    assert len(seated) == min(len(names), len(BOT_NAMES)) or set(BOT_NAMES) == set(seated)
    assert all(animal == name for name, animal in zip(names, animals, strict=True) if name in BOT_NAMES)
