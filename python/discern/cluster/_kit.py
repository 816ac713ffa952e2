"""What machines need: the program and the files of a plan, named by their content."""

import hashlib
import os
import shutil

from discern import _native


def find_program(given):
    """The program to run: the one given, $DISCERN_PROGRAM, or `discern` of the path."""
    named = given or os.environ.get("DISCERN_PROGRAM")
    found = named or shutil.which("discern")
    if not found:
        raise ValueError("no program 'discern' on the path: name it with --program")
    if not os.path.isfile(found):
        raise ValueError(f"{found}: no such program")
    return os.path.abspath(found)


def pack(put, files):
    """Puts files into the object store, once each. `files` are pairs of name and path."""
    kit = []
    for name, path in files:
        with open(path, "rb") as file:
            content = file.read()
        digest = hashlib.sha256(content).hexdigest()
        size = len(content)
        kit.append({"name": name, "sha256": digest, "bytes": size, "content": put(content)})
    return kit


def pack_plan(put, folder, program):
    """All that a shard of a plan needs."""
    inputs = [(os.path.basename(path), path) for path in folder.inputs()]
    return pack(put, [("program", program), *inputs])


def check_build(folder, program, other_build):
    """The program's fingerprint, if it is the plan's program or another one is welcome."""
    found, (began, wanted) = _native.fingerprint(program), folder.build
    if found != wanted and not other_build:
        raise ValueError(
            f"begun by {began}; {program} is another program ({found[:8]}), whose games may "
            "differ: --other-build resumes anyway"
        )
    return found
