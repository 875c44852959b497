"""`coyote bench cues`: what is summed up, and what stands in for speech."""

import os
import subprocess
from pathlib import Path

from firmware.benches.cues import figures_of, speaker
from firmware.board.voices.speech import PROGRAM


def test_moments_that_were_told_are_summed_up() -> None:
    figures = figures_of([{"lamps": 1.0, "buzzer": 1.02}, {"lamps": 2.0, "phones": 2.001, "speech": 2.05}])
    assert figures.moments == 2
    assert figures.told == {"buzzer": 1, "lamps": 2, "phones": 1, "speech": 1}
    assert (figures.apart_median, figures.apart_most) == (35.0, 50.0)


def test_what_stands_in_for_speech_leaves_a_mark_for_each_sentence(tmp_path: Path) -> None:
    before = os.environ["PATH"]
    with speaker(tmp_path) as spoken:
        for _sentence in range(2):
            subprocess.run([PROGRAM, "--stdin"], input=b"Ana takes a mark.", check=True)
        assert len(list(spoken.iterdir())) == 2
    assert os.environ["PATH"] == before
