"""Limits on connections: no address takes them all, and each is given back."""

from webui.server.connection_limits import ConnectionLimit


def test_there_are_so_many_and_so_many_of_one_address() -> None:
    places = ConnectionLimit(3, 2)
    assert [places.take("a"), places.take("a"), places.take("a")] == [True, True, False]
    assert [places.take("b"), places.take("c")] == [True, False]
    places.leave("a")
    assert [places.take("c"), places.take("a")] == [True, False]


def test_a_client_that_is_gone_is_forgotten() -> None:
    places = ConnectionLimit(10, 2)
    for number in range(50):
        assert places.take(f"{number}")
        places.leave(f"{number}")
    assert not places._taken
