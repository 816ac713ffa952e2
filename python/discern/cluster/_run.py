"""A plan worked on by a cluster."""

import signal
from contextlib import contextmanager

from discern import _native

from ._connect import cluster
from ._kit import check_build, find_program, pack_plan
from ._pool import Pool
from ._progress import Progress
from ._shards import Shards


def run(path, *, address=None, program=None, audit=0.0, other_build=False, restart=False,
        processors=None, patience=60.0, ray=None):
    """Makes the missing shards of a plan on a cluster; whether all are there then.

    Parameters
    ----------
    path : folder with a plan
    address : the cluster's, as Ray writes it; a cluster of this machine alone if left out
    program : the program to run; `discern` of the path if left out
    audit : share of the shards that are made again on another machine and compared
    other_build : resume although another build of the program began
    restart : start a foreign program again that has died (tournaments)
    processors : processors of a cluster of this machine alone; all if left out
    patience : seconds to wait for a machine, and for an answer of the head
    ray : a connection that exists already

    The folder is good at any moment: whatever happens, the same call resumes, and so does
    ``discern … run`` without Ray.
    """
    if ray is None:
        with cluster(address, processors) as ray:
            return run(path, program=program, audit=audit, other_build=other_build,
                       restart=restart, patience=patience, ray=ray)
    folder = _native.RunFolder(path)
    if audit > 0 and not folder.repeatable:
        raise ValueError("an audit needs shards that repeat: this plan has clocks or programs")
    program = find_program(program)
    fingerprint = check_build(folder, program, other_build)
    options = [*(["--other-build"] if other_build else []), *(["--restart"] if restart else [])]
    lock = folder.lock()
    progress = Progress(path)
    shards = Shards(path, folder, options, other_build, audit, progress.say)
    if shards.finished:
        progress.say(f"all {folder.shards} shards are there")
        return True
    kit = pack_plan(ray.put, folder, program)
    probe = (folder.verb, fingerprint)
    pool = Pool(ray, kit, probe, folder.threads, progress.say, patience)
    with finishing(pool, progress.say):
        pool.run(shards, tick=lambda: progress.show(shards, pool))
    progress.end(shards, pool)
    del lock
    return report(shards, pool, progress.say)


def report(shards, pool, say):
    """Says how it went; whether everything is there and nothing is broken."""
    left = len(shards.missing)
    say(f"{shards.done} shards made, {left} missing, {shards.lost} retries, "
        f"{shards.audited} audited, {len(shards.broken)} differ")
    for shard, why in shards.given_up.items():
        say(f"shard {shard} was given up: {why}")
    if left and pool.stopping:
        say("stopped; the same command resumes, and so does `discern "
            f"{shards.folder.verb} run` without Ray")
    return left == 0 and not shards.broken


@contextmanager
def finishing(pool, say):
    """First signal: finish what runs; second: drop it."""
    def hear(*_):
        if pool.stopping:
            say("aborting; the shards in hand are dropped")
            pool.aborting = True
        else:
            say("finishing the shards in hand; once more to abort")
            pool.stopping = True

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
