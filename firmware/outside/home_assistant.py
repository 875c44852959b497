"""What Home Assistant is told so that it shows the table by itself: MQTT discovery."""

from collections.abc import Iterator
from typing import Any

from referee.contract import Mood

PREFIX = "homeassistant"
MOST = 250
"""Letters of a state; Home Assistant takes 255."""
SENSORS = {
    "situation": f"{{{{ value_json.situation[:{MOST}] }}}}",
    "headline": "{{ value_json.headline.text if value_json.headline else '' }}",
    "question": f"{{{{ (value_json.questions | join(' '))[:{MOST}] }}}}",
    "ruling": f"{{{{ (value_json.rulings | map(attribute='text') | join(' '))[:{MOST}] }}}}",
    "leader": "{{ value_json.players | selectattr('place', 'eq', 1) | map(attribute='name') | join(', ') }}",
}
"""What it reads from a moment, as templates of its own."""


def discovery(name: str, topic: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each topic and payload by which a table is discovered."""
    common = {
        "device": {
            "identifiers": [f"coyote_{name}"],
            "name": f"Coyote Table {name}",
            "manufacturer": "Coyote Table",
        },
        "availability_topic": f"{topic}/status",
    }
    for key, template in SENSORS.items():
        more = {"json_attributes_topic": f"{topic}/moment"} if key == "situation" else {}
        yield _entity(
            "sensor", name, key, {"value_template": template, "state_topic": f"{topic}/moment", **more}, common
        )
    over = {"value_template": "{{ 'ON' if value_json.is_over else 'OFF' }}", "state_topic": f"{topic}/moment"}
    yield _entity("binary_sensor", name, "over", over, common)
    mood = {"event_types": [mood.value for mood in Mood], "state_topic": f"{topic}/mood"}
    yield _entity("event", name, "mood", mood, common)


def _entity(
    kind: str, name: str, key: str, own: dict[str, Any], common: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    told = {"name": key.capitalize(), "unique_id": f"coyote_{name}_{key}", **own, **common}
    return f"{PREFIX}/{kind}/coyote_{name}/{key}/config", told
