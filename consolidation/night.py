"""One person's night, from the first word read to the last line written. Each step can be repeated: a night that broke
off goes on where it stood."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum

from claude.errors import ClaudeError, Malformed, Refused, TooLong, Truncated
from claude.models import Call
from consolidation import apply, batching, comparing, evidence, extract, fade, pages, reconcile, windows
from consolidation.models import AskedFor, Night, NightState, Step
from memories import forget
from memories.models import Person, lock_person

logger = logging.getLogger(__name__)

# The model answered, or would not, and asking the same again may never help.
UNANSWERABLE = (Refused, Malformed, Truncated, TooLong)


class LeaseLost(Exception):
    """Another worker has taken this night over."""


def begin(person: Person, *, now: datetime, asked_for: AskedFor = AskedFor.SCHEDULE) -> Night | None:
    """A night to run, or None while there is nothing to begin: one is running, one is held for a look, or the scheduled
    one of this day is over. A night that failed is taken up again."""
    with transaction.atomic():
        person = lock_person(person.pk)
        nights = Night.objects.of(person)
        # One that broke off: nothing of it may be carried out.
        nights.filter(asked_for=AskedFor.REHEARSAL, leased_until__lt=now).delete()
        if nights.filter(state__in=[NightState.RUNNING, NightState.HELD]).exists():
            return None
        last = nights.newest_first().first()
        if last is not None and last.state == NightState.FAILED:
            return reopen(last, now=now)
        local_date = person.local(now).date()
        if asked_for == AskedFor.SCHEDULE and nights.filter(local_date=local_date, asked_for=asked_for).exists():
            return None
        return Night.objects.create(
            person=person,
            local_date=local_date,
            asked_for=asked_for,
            started_at=now,
            leased_until=now,
            reads_until=now,
        )


def reopen(night: Night, *, now: datetime) -> Night | None:
    """Take a failed night up where it stood. Reads also what was said since, if it is still reading."""
    with transaction.atomic():
        lock_person(night.person_id)
        if Night.objects.filter(person_id=night.person_id).running().exists():
            return None
        reads_until = now if night.step == Step.EXTRACT else night.reads_until
        changed = Night.objects.filter(pk=night.pk, state=NightState.FAILED).update(
            state=NightState.RUNNING, error="", ended_at=None, leased_until=now, reads_until=reads_until
        )
    return Night.objects.get(pk=night.pk) if changed else None


def run(night_id: int, *, now: datetime) -> Night:
    """All steps that are left. A failure of the model leaves the night failed with its code; it never half-applies."""
    night = Night.objects.select_related("person").get(pk=night_id)
    if not night.is_running or night.leased_until > now or night.asked_for == AskedFor.REHEARSAL:
        return night
    run = Run(night, now)
    try:
        run.hold_lease()
        run.count_attempt()
        run.steps()
    except LeaseLost:
        pass
    except batching.StillOut:
        night.wait_until(run.now + timedelta(seconds=settings.NIGHT_BATCH_CHECK_S))
    except ClaudeError as problem:
        night.release(NightState.FAILED, now=run.now, error=problem.code)
    except Exception:
        night.release(NightState.FAILED, now=run.now, error="unexpected")
        raise
    night.refresh_from_db()
    return night


class Run:
    """The steps of one night, each under its lease."""

    def __init__(self, night: Night, now: datetime) -> None:
        self.night = night
        self._began, self._clock = now, time.monotonic()

    @property
    def now(self) -> datetime:
        """The given moment plus what has passed since, so that leases hold through a long night."""
        return self._began + timedelta(seconds=time.monotonic() - self._clock)

    def hold_lease(self) -> None:
        if not self.night.lease_for(self.now, settings.NIGHT_LEASE_S):
            raise LeaseLost

    def count_attempt(self) -> None:
        if batching.is_out(self.night):
            return  # looking for the answers is no attempt
        self.night.attempts += 1
        self.night.save(update_fields=["attempts"])

    def steps(self) -> None:
        if self.night.step == Step.EXTRACT:
            self.extract()
        if self.night.step == Step.RECONCILE:
            self.reconcile()
        if self.night.step == Step.APPLY:
            self.hold_lease()
            apply.apply(self.night, now=self._began)
        if self.night.is_running and self.night.step == Step.CHECK:
            self.check()
        if self.night.is_running and self.night.step == Step.PAGES:
            self.pages()

    def in_batch(self, step: Step, *kinds: batching.Kind) -> None:
        if batching.is_wanted(self.night):
            self.hold_lease()
            batching.through(self.night, step, *kinds, now=self._began)

    def extract(self) -> None:
        windows.plan_windows(self.night)
        self.in_batch(Step.EXTRACT, extract.BATCHED)
        while window := self.night.windows.filter(read_at=None).order_by("position").first():
            self.hold_lease()
            extract.read_window(self.night, window, now=self._began)
            if self.spent() > settings.NIGHT_MAX_TOKENS:
                windows.leave_the_rest(self.night)
        self.night.reach(Step.RECONCILE)

    def spent(self) -> int:
        calls = Call.objects.filter(run=self.night.run)
        tokens = F("tokens_in") + F("tokens_out") + F("tokens_cache_write")
        return int(calls.aggregate(spent=Sum(tokens))["spent"] or 0)

    def reconcile(self) -> None:
        self.in_batch(Step.RECONCILE, reconcile.BATCHED)
        while some := reconcile.unjudged(self.night, now=self._began):
            self.hold_lease()
            try:
                reconcile.judge(self.night, some)
            except UNANSWERABLE:
                if not self.has_tried_enough():
                    raise
                reconcile.leave_unjudged(some)
        self.night.reach(Step.APPLY)

    def check(self) -> None:
        self.in_batch(Step.CHECK, evidence.BATCHED, comparing.BATCHED)
        for memories in evidence.to_check(self.night, now=self._began):
            self.hold_lease()
            try:
                evidence.check(self.night, memories, now=self._began)
            except UNANSWERABLE:
                if not self.has_tried_enough():
                    raise
                evidence.ask_the_person(self.night, memories, now=self._began)
        for pairs in comparing.to_compare(self.night, now=self._began):
            self.hold_lease()
            try:
                comparing.compare(self.night, pairs, now=self._began)
            except UNANSWERABLE:
                if not self.has_tried_enough():
                    raise
                comparing.leave_apart(self.night, pairs)
        self.night.reach(Step.PAGES)

    def pages(self) -> None:
        fade.fade(self.night, now=self._began)
        self.in_batch(Step.PAGES, pages.BATCHED)
        for part in pages.stale(self.night.person, since=self.night.last_done_at()):
            self.hold_lease()
            try:
                pages.rebuild(self.night, part, now=self._began)
            except UNANSWERABLE:
                if not self.has_tried_enough():
                    raise
                pages.rebuild(self.night, part, now=self._began, without_model=True)
        self.night.release(NightState.DONE, now=self.now)
        self.verify_deletions()

    def has_tried_enough(self) -> bool:
        """What the model cannot answer about must not keep a person's nights from ever coming to an end."""
        return self.night.attempts >= settings.NIGHT_MAX_FAILURES

    def verify_deletions(self) -> None:
        """What was forgotten since the night before is looked for in every layer again. Findings stand on the deletion,
        and in the log for whoever runs this."""
        before = Night.objects.of(self.night.person).exclude(pk=self.night.pk).newest_first().first()
        since = before.started_at if before else None
        for deletion, finding in forget.verify_person(self.night.person, now=self.now, since=since):
            logger.error("Deletion %d is not whole: %s in %s", deletion.pk, finding.code, finding.layer)
