"""Dask's distributed scheduler: the same work on a cluster, or on processes of this machine."""

import importlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from types import TracebackType
from typing import Any

from evalcore.data import DataError
from evalcore.engines.work import TRIES, Job, Outcome, Work, attempted

SECONDS_TO_ANSWER = 20
LOOPBACK = "127.0.0.1"
SILENT = 50  # The level above which Dask's own messages are shown: none of them; what matters is in the outcomes.


class Cluster:
    """A Dask cluster, to be used in a with block: that of a scheduler's address, else processes of this machine.

    The processes listen on the loopback interface alone and have no
    dashboard. A cluster has to see OUT and the files under the same paths,
    and has this package installed.
    Raises: DataError when Dask is not installed or no scheduler answers.
    """

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.workers = workers
        self.address = address
        self.opened = ExitStack()

    def __enter__(self) -> "Cluster":
        try:
            distributed: Any = importlib.import_module("distributed")
            settings: Any = importlib.import_module("dask.config")
        except ImportError:
            raise DataError("the engine dask needs a package that is not installed; install it with: pip install 'whymiss[distributed]'") from None
        self.dask: Any = distributed
        try:
            if self.address is None:
                self.opened.enter_context(settings.set({"distributed.scheduler.allowed-failures": TRIES - 1}))
                self.client = self.opened.enter_context(distributed.Client(self._processes()))
            else:
                self.client = self.opened.enter_context(distributed.Client(self.address, timeout=SECONDS_TO_ANSWER))
        except (OSError, ValueError, RuntimeError) as error:
            self.opened.close()
            raise DataError(f"no Dask scheduler answers at {self.address or 'this machine'} ({error}); give its address, such as tcp://10.0.0.5:8786") from None
        return self

    def _processes(self) -> Any:
        """Start processes on this machine; when one dies before it is ready they are started anew."""
        quiet = {"silence_logs": SILENT, "memory_limit": 0, "scheduler_kwargs": {"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"}}
        start = partial(self.dask.LocalCluster, n_workers=self.workers, threads_per_worker=1, processes=True, host=LOOPBACK, **quiet)
        for _ in range(TRIES - 1):
            with suppress(RuntimeError):
                return self.opened.enter_context(start())
        return self.opened.enter_context(start())

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.opened.__exit__(kind, error, trace)

    def run(self, work: Work, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Do all jobs, and give every outcome as it comes.

        A job whose worker dies is done by another one; a job of which
        three died is given up.
        Raises: DataError when the scheduler is lost.
        """
        waiting: dict[Any, Job] = {self.client.submit(attempted, work, job, pure=False): job for job in jobs}
        for future in self.dask.as_completed(list(waiting)):
            yield self._outcome(future, waiting.pop(future))

    def _outcome(self, future: Any, job: Job) -> Outcome:
        if future.status == "finished":
            outcome: Outcome = future.result()
            return outcome
        if future.status != "error":
            raise DataError(f"the scheduler lost {job.name} ({future.status}); what is done stays, and the same command goes on there")
        error = future.exception()
        if isinstance(error, self.dask.KilledWorker):
            return Outcome.given_up(job.name)
        return Outcome(job.name, "failed", message=f"{type(error).__name__}: {error}")
