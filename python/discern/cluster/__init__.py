"""Plans and fits on many machines, with Ray.

``python -m discern.cluster run PLAN`` makes the missing shards of a plan: generation,
correction or tournament. ``status`` says how far it is, ``fit`` fits models to the rows of
many tables. `docs/cluster.md` explains all of it. Ray comes with ``discern[cluster]``.
"""

from ._fit import fit
from ._run import run
from ._status import status

__all__ = ["fit", "run", "status"]
