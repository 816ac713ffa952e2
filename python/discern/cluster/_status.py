"""How far a plan is, with or without a cluster at work on it."""

import json
import os
import time

from discern import _native

from ._progress import STATUS, sentence


def status(path):
    """What is there of a plan, and who is at it."""
    folder = _native.RunFolder(path)
    missing = folder.missing()
    damaged = [what for _, what in missing if what is not None]
    return {
        "plan": folder.name,
        "kind": folder.verb,
        "shards": folder.shards,
        "whole": folder.shards - len(missing),
        "games_left": sum(folder.units(shard) for shard, _ in missing),
        "damaged": damaged,
        "run": _of_run(path),
    }


def _of_run(path):
    """What the run at work says of itself; None if there is none."""
    try:
        with open(os.path.join(path, STATUS)) as file:
            said = json.load(file)
    except (OSError, ValueError):
        return None
    # One that was killed says nothing any more.
    return said if said.get("working") and time.time() - said["at"] < 120 else None


def describe(found):
    """The same in lines that people read."""
    lines = [f"{found['kind']} plan {found['plan']}: {found['whole']} of {found['shards']} "
             f"shards, {found['games_left']} games left"]
    lines.extend(found["damaged"])
    lines.append("nobody works on it" if found["run"] is None
                 else f"at work: {sentence(found['run'])}")
    return lines
