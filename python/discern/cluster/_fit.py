"""Models of more rows than one machine holds, by sums of many tables."""

import os
from collections import deque

from discern import _native

from . import _node
from ._connect import cluster
from ._kit import find_program, pack
from ._pool import Pool, Queue


class Tables(Queue):
    """One pass: the sums of each table."""

    def __init__(self, tables, request):
        super().__init__(todo=deque(range(len(tables))))
        self.tables, self.request = tables, request
        self.sums = [None] * len(tables)

    def task(self, key):
        return _node.sum_table, (self.tables[key], self.request)

    def take(self, attempt, value):
        self.sums[attempt.key] = value["sums"]


def fit(tables, *, label, of=None, weight=None, phase=None, features=(), exclude=(),
        models=("log", "fisher", "quad"), window=2, trials=100, ridge=0.0, prior="equal",
        address=None, program=None, send=False, processors=None, patience=60.0, say=print,
        ray=None):
    """LOG, FISHER and QUAD of all rows of many tables, CSV or Parquet.

    Every pass over the rows is a task for each table, ``discern fit --partial``, which
    returns sums; the Newton steps are made here. The estimates are those of one table with
    all rows, but for rounding.

    Tables are read where the tasks run, so that all machines need the same paths; with
    `send` they are brought there once. The other parameters are those of ``discern fit``.

    Returns the lines of ``discern fit --json``, the text of the model file, and the
    sentences about models that failed or are doubtful.
    """
    if ray is None:
        with cluster(address, processors) as ray:
            return fit(tables, label=label, of=of, weight=weight, phase=phase, features=features,
                       exclude=exclude, models=models, window=window, trials=trials, ridge=ridge,
                       prior=prior, program=program, send=send, patience=patience, say=say,
                       ray=ray)
    if not tables:
        raise ValueError("no tables")
    steps = _native.PartialFit(
        label=label, of=of, weight=weight, phase=phase, features=list(features),
        exclude=list(exclude), models=list(models), window=window, trials=trials, ridge=ridge,
        prior_of_data=prior == "data",
    )
    kit = pack(ray.put, [("program", find_program(program))])
    paths = [os.path.abspath(table) for table in tables]
    # The largest table stands for all of them as long as a sample is enough.
    largest = max(range(len(paths)), key=lambda index: os.path.getsize(paths[index])
                  if os.path.exists(paths[index]) else 0)
    sources = pack(ray.put, [(os.path.basename(path), path) for path in paths]) if send else paths
    pool = Pool(ray, kit, (None, None), 1, say, patience)
    while (request := steps.request()) is not None:
        asked = [sources[largest]] if steps.is_rough else sources
        queue = Tables(asked, request)
        pool.run(queue)
        if None in queue.sums:
            raise ValueError(next(iter(queue.given_up.values()), "stopped"))
        steps.advance(queue.sums)
    return steps.finish(f"{len(paths)} tables, the first is {paths[0]}")
