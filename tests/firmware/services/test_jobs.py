"""Jobs in separate processes: results, crashes, timeouts, and limits for untrusted files."""

import os
import signal
from contextlib import suppress
from io import BytesIO
from mmap import mmap
from pathlib import Path
from typing import IO

import pytest
from msgspec import Struct

from firmware.services.jobs import MEMORY, NICE, Job, JobError, JobSlowError, Limits, do_job, read_file
from tests.waiting import TEST_TIMEOUT

WRITTEN = b"anything"


class JobReport(Struct, frozen=True):
    """Information that a process reports about itself."""

    said: str
    niceness: int
    goes_first: str
    can: tuple[str, ...] = ()  # successful attempts


class JobRequest(Struct, frozen=True):
    """Request to a process."""

    place: Path
    said: str = ""


def report_process(asked: JobRequest) -> JobReport:
    first, can = Path("/proc/self/oom_score_adj").read_text(encoding="ascii").strip(), list[str]()
    with suppress(OSError):
        # address space only: nothing is written
        mmap(-1, 2 * MEMORY).close()
        can.append("memory")
    with suppress(OSError):
        asked.place.write_bytes(WRITTEN)
        can.append("write")
    return JobReport(asked.said, os.getpriority(os.PRIO_PROCESS, 0), first, tuple(can))


def report_file(asked: JobRequest, file: IO[bytes]) -> JobReport:
    return report_process(JobRequest(asked.place, file.read().decode()))


def wait(_asked: None) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def crash(_asked: None) -> int:
    raise AssertionError("no answer")


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def test_job_has_low_priority_and_limits_for_untrusted_files(tmp_path: Path) -> None:
    place = tmp_path / "written"
    told = do_job(report_process, JobRequest(place, "a line\nand another"), TEST_TIMEOUT)
    assert told == JobReport("a line\nand another", NICE, "1000", ("memory", "write"))
    place.unlink()
    told = read_file(report_file, JobRequest(place), BytesIO(b"of a stranger\n"), 9, TEST_TIMEOUT)
    assert told == JobReport("of a stranger\n", NICE, "1000", ())
    for largest, can in ((len(WRITTEN), ("write",)), (1, ())):
        job = Job(report_process, JobRequest(place), limits=Limits(9, largest_file=largest))
        assert job.answer(TEST_TIMEOUT).can == can


def test_crash_is_reported_and_slow_job_killed() -> None:
    with pytest.raises(JobError) as died:
        Job(crash, None).answer(TEST_TIMEOUT)
    assert not isinstance(died.value, JobSlowError)
    assert do_job(wait, None, 0.01) is None
    with pytest.raises(JobError, match="nobody waits"):
        Job(wait, None, has_games=False).answer(TEST_TIMEOUT, lambda: True)
    job = Job(wait, None, has_games=False)
    assert not job.is_over
    with pytest.raises(JobSlowError):
        job.answer(0.01)
    assert job.is_over
