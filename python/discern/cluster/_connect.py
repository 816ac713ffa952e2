"""The way to a cluster, and which machines it has."""

import os
import secrets
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass
class Machine:
    """A node as Ray sees it."""

    id: str
    host: str
    alive: bool
    processors: float


@contextmanager
def cluster(address, processors=None):
    """Ray, connected: to the cluster at an address, or to one of this machine alone.

    One of this machine alone listens on 127.0.0.1 only, and ends with the block.
    """
    address = address or os.environ.get("RAY_ADDRESS")
    local = address is None or address == "local"
    if local or address.rsplit(":", 1)[0].strip("[]") in LOOPBACK:
        # Ray would take the machine's address in the network instead.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    if local:
        # Other users of this machine reach 127.0.0.1, too. A token of this run alone, so that
        # Ray writes none into the home folder.
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    # Nothing is reported to Ray's makers.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise ValueError(f"Ray is missing ({error}): pip install 'discern[cluster]'") from error
    from . import _node

    ray.cloudpickle.register_pickle_by_value(_node)
    options = {"log_to_driver": False, "configure_logging": False}
    with ExitStack() as ended:
        try:
            if local:
                # Ray leaves a folder of logs behind, which ends with the run here, though helpers
                # may still write to it. Not below TMPDIR: names of sockets have 107 letters.
                desk = tempfile.TemporaryDirectory(
                    prefix="ray-", dir=os.environ.get("RAY_TMPDIR", "/tmp"),
                    ignore_cleanup_errors=True)
                ray.init(
                    address="local",
                    num_cpus=processors or len(os.sched_getaffinity(0)),
                    include_dashboard=False,
                    object_store_memory=256 << 20,
                    _temp_dir=ended.enter_context(desk),
                    **options,
                )
            else:
                ray.init(address=address, **options)
        except ConnectionError as error:
            raise ValueError(f"{address}: {error}") from error
        ended.callback(ray.shutdown)
        yield ray


def machines(ray):
    """All nodes of the cluster, dead ones too."""
    return [
        Machine(
            id=node["NodeID"],
            host=node.get("NodeManagerHostname") or node.get("NodeManagerAddress", "?"),
            alive=bool(node["Alive"]),
            processors=node.get("Resources", {}).get("CPU", 0.0),
        )
        for node in ray.nodes()
    ]
