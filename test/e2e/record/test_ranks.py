#!/usr/bin/env python3
"""Many recorders at once, as an MPI launcher starts them: a folder per rank, the older recording moved aside once."""
import shutil

import recording
from recording import PATIENCE_S, contains, equal

LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE"),
    ("OMPI_COMM_WORLD_RANK", None),
    ("PMI_RANK", "PMI_JOBID"),
    ("PMI_RANK", None),
    ("PMIX_RANK", "PMIX_NAMESPACE"),
    ("SLURM_PROCID", "SLURM_JOB_ID"),
)
RANKS = 6


def job(bench, rank_key, job_key, name, calls):
    """Starts all ranks of a job at the same time; rank r makes calls + r calls."""
    processes = []
    for rank in range(RANKS):
        environment = {rank_key: str(rank), **({job_key: name} if job_key else {})}
        processes.append(bench.start([bench.prof, "record", bench.program, "plain", calls + rank, rank], environment))
    for rank, process in enumerate(processes):
        errors = process.communicate(timeout=PATIENCE_S)[1]
        equal(f"status of rank {rank}", process.returncode, rank)
        contains(f"what rank {rank} says", errors, f"prof.data/rank-{rank}")


def expect(bench, data, calls):
    for rank in range(RANKS):
        equal(f"calls of rank {rank} in {data}", bench.calls_of("leaf", f"{data}/rank-{rank}"), calls + rank)
        equal("rank", bench.info(f"{data}/rank-{rank}")["rank"], str(rank))


def each_launcher(bench):
    for rank_key, job_key in LAUNCHERS:
        for left in bench.folder.glob("prof.data*"):
            shutil.rmtree(left)
        for number in (1, 2, 3):
            job(bench, rank_key, job_key, f"job.{number}", 1000 * number)
        expect(bench, "prof.data", 3000)
        expect(bench, "prof.data.old", 2000)


def after_a_single_recording(bench):
    bench.record("plain", 77, 0)
    job(bench, "SLURM_PROCID", "SLURM_JOB_ID", "5", 300)
    expect(bench, "prof.data", 300)
    equal("older", bench.calls_of("leaf", "prof.data.old"), 77)
    bench.record("plain", 78, 0)
    equal("newest", bench.calls_of("leaf"), 78)
    expect(bench, "prof.data.old", 300)


def twice_in_a_job(bench):
    """A rank that records twice replaces its own folder and nobody else's."""
    job(bench, "SLURM_PROCID", "SLURM_JOB_ID", "5", 300)
    bench.record("plain", 9, 0, environment={"SLURM_PROCID": "2", "SLURM_JOB_ID": "5"})
    equal("rank 2", bench.calls_of("leaf", "prof.data/rank-2"), 9)
    equal("rank 3", bench.calls_of("leaf", "prof.data/rank-3"), 303)
    result = bench.run([bench.prof, "info"])
    equal("status of reading the job's folder", result.returncode, 1)
    contains("remedy", result.stderr, "rank-0")


def no_number(bench):
    """A variable that holds no number is none of a launcher."""
    bench.record("plain", 12, 0, environment={"PMI_RANK": "../../x"})
    equal("calls", bench.calls_of("leaf"), 12)


if __name__ == "__main__":
    recording.main([each_launcher, after_a_single_recording, twice_in_a_job, no_number])
