"""Who is told besides phones, as the configuration says."""

from contextlib import ExitStack
from pathlib import Path

from firmware.start.outlets import open_outlets
from firmware.storage.configuration import TableSettings, settings_of
from tests.firmware.outside.followed import Followed, await_true


def opened(text: str) -> tuple[Followed, ExitStack]:
    door, ends = Followed(), ExitStack()
    open_outlets(ends, settings_of(text, "coyote.toml"), door, lambda _edge: None)
    return door, ends


def test_nobody_is_told_unless_the_owner_wants_it() -> None:
    door, ends = Followed(), ExitStack()
    open_outlets(ends, TableSettings(), door, lambda _edge: None)
    assert door._listeners == []


def test_each_that_is_named_is_followed_and_left() -> None:
    door, ends = opened(
        '[outside]\nwebhooks = ["http://127.0.0.1:1/a"]\n[broker]\nhost = "127.0.0.1"\nport = 1\n'
    )
    await_true(lambda: set(door.wrong) == {("outlet", "127.0.0.1"), ("outlet", "127.0.0.1:1")})
    assert len(door._listeners) == 2
    ends.close()
    await_true(lambda: not door._listeners)


def test_a_password_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    door, _ends = opened(f'[broker]\nhost = "127.0.0.1"\nuser = "x"\npassword_file = "{tmp_path / "none"}"\n')
    (wrong,) = door.wrong.values()
    assert "No such file" in str(wrong.values["why"])
    assert door._listeners == []
