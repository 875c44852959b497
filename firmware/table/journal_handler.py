"""Handle reports from the journal's writer, and requests to pause, save or change the journal."""

from msgspec.structs import replace

from firmware.table import client, state, writer
from firmware.table.hosting import pause_table, refusal_to_forget, resume_table
from firmware.table.loop_parts import Parts
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import UNSAVED, Notice
from firmware.table.step_runner import StepRunner

JournalRequest = writer.Pause | writer.SaveAgain | writer.JournalChange


class JournalHandler:
    """Passes requests to the writer, and turns its reports into steps and notices."""

    def __init__(self, parts: Parts, runner: StepRunner) -> None:
        self._parts, self._runner = parts, runner

    def request(self, request: JournalRequest) -> None:
        match request:
            case writer.Pause():
                self._parts.writer.give(replace(request, match=self._runner.table.match))
            case writer.SaveAgain():
                self._parts.writer.give(request)
            case writer.JournalChange():
                refusal = refusal_to_forget(self._runner.table, request.name) if request.name else None
                if refusal is None:
                    self._parts.writer.give(request)
                elif request.future.set_running_or_notify_cancel():
                    request.future.set_result(refusal)

    def handle(self, report: writer.FromWriter, now: float) -> None:
        runner = self._runner
        match report:
            case writer.EntryKept(number):
                runner.troubles.note_disk(None)
                runner.run_after_write(lambda: state.handle_kept(runner.table, number, now))
            case writer.EntryNotKept(why):
                runner.troubles.note_disk(why)
                runner.run_after_write(lambda: state.handle_not_kept(runner.table, why, now))
            case writer.PauseKept():
                # pause or resume, even if that couldn't be stored for the next start
                pause = report.pause
                if pause.future is not None:
                    if report.why is not None:
                        self._runner.say(Notice(NoticeKey.NOT_WRITTEN, {"why": report.why}))
                    action = pause_table if pause.is_paused else resume_table
                    self._runner.run_request(client.HostRequest(action, pause.future), now)
            case writer.SavingReport():
                self._note_saving(report)

    def _note_saving(self, report: writer.SavingReport) -> None:
        runner, unsaved = self._runner, report.unsaved
        was_saving, runner.is_saving = runner.is_saving, unsaved is None
        runner.publish_summary()
        if unsaved is None:
            runner.troubles.end(UNSAVED)
        else:
            runner.troubles.begin(UNSAVED, unsaved)
        # if lines went to memory before, only the space needed has changed
        for notice in (report.saved, unsaved if was_saving else None):
            if notice is not None:
                runner.say(notice)
        if report.asked is not None and report.asked.set_running_or_notify_cancel():
            report.asked.set_result(unsaved is None)
