"""What runs on the machines of a cluster.

Ray sends this file there by value, so it uses nothing but Python itself and, to fetch
files, Ray: a machine needs no installation of ours. Files are kept in a folder by their
content, written aside and renamed, so that each comes to a machine once, whoever asks for
it and however often machines are lost.
"""

import fcntl
import hashlib
import json
import os
import platform
import resource
import shutil
import subprocess
import tempfile
import time


def cache_folder():
    """Where files are kept: a folder that only this user can write to."""
    chosen = os.environ.get("DISCERN_CLUSTER_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    shared = os.path.join(tempfile.gettempdir(), f"discern-cluster-{os.getuid()}")
    places = [chosen] if chosen else [os.path.join(home, "discern", "cluster"), shared]
    for place in places:
        try:
            os.makedirs(place, mode=0o700, exist_ok=True)
        except OSError as error:
            reason = error
            continue
        if os.stat(place).st_uid == os.getuid() and os.access(place, os.W_OK | os.X_OK):
            return place
        reason = f"{place} belongs to somebody else"
    raise OSError(f"no place to keep files: {reason}")


def bring(file, cache):
    """The path of a file of the kit, fetched unless it is here already."""
    path = os.path.join(cache, file["sha256"])
    if os.path.exists(path) and os.path.getsize(path) == file["bytes"]:
        return path
    import ray

    content = ray.get(file["content"])
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        raise OSError(f"{file['name']} was damaged on its way")
    handle, aside = tempfile.mkstemp(dir=cache, prefix=".")
    try:
        with os.fdopen(handle, "wb") as output:
            output.write(content)
            output.flush()
            os.fsync(output.fileno())
        os.chmod(aside, 0o555 if file["name"] == "program" else 0o444)
        os.rename(aside, path)
    except BaseException:
        os.unlink(aside)
        raise
    return path


def bring_program(kit, cache):
    """The program of the kit."""
    return next(bring(file, cache) for file in kit if file["name"] == "program")


class Scratch:
    """A folder of its own for one task, with the files of the kit under their names.

    It is locked while it is used. What killed tasks have left goes with the next one.
    """

    def __init__(self, kit):
        self.cache = cache_folder()
        self.work = os.path.join(self.cache, "work")
        os.makedirs(self.work, exist_ok=True)
        self._sweep()
        self.path = tempfile.mkdtemp(dir=self.work)
        self.lock = open(os.path.join(self.path, ".lock"), "wb")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        for file in kit:
            path = bring(file, self.cache)
            if file["name"] == "program":
                self.program = path
            else:
                os.symlink(path, os.path.join(self.path, file["name"]))

    def _sweep(self):
        for name in os.listdir(self.work):
            path = os.path.join(self.work, name)
            try:
                # One that is being made has no lock yet.
                if time.time() - os.stat(path).st_mtime < 5:
                    continue
                with open(os.path.join(path, ".lock"), "wb") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path)
            except FileNotFoundError:
                shutil.rmtree(path, ignore_errors=True)
            except OSError:
                continue

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)
        self.lock.close()


def call(arguments, text=None):
    """Runs a child process without a shell; its output, or a sentence why not.

    The child ends when its input does, which happens as soon as this process dies. It is in
    a session of its own: what a terminal or Ray sends to this process is not for it.
    """
    # Not a pipe, which would have to be read at the same time as the output.
    with tempfile.TemporaryFile() as errors:
        try:
            child = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            return None, f"the program does not start: {error.strerror or error}"
        try:
            if text is not None:
                out, _ = child.communicate(text.encode())
            else:
                # Not `communicate`, which would close the input at once.
                out = child.stdout.read()
                child.wait()
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
            child.stdin.close()
            child.stdout.close()
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()
    if child.returncode == 0:
        return out.decode(), None
    lines = said.splitlines() or ["it said nothing"]
    how = f"signal {-child.returncode}" if child.returncode < 0 else f"code {child.returncode}"
    return None, f"{lines[-1][:500]} (ended with {how})"


def told(value):
    """An answer, with the machine that gives it."""
    return {"host": platform.node(), **value}


def probe(kit, verb, program):
    """Can this machine work on the plan, with this very program?"""
    try:
        with Scratch(kit) as scratch:
            asked = [scratch.program, "--version"]
            if verb is not None:
                asked = [scratch.program, verb, "missing", scratch.path, "--json"]
            out, error = call(asked)
    except OSError as problem:
        return told({"error": str(problem)})
    if error is None and verb is not None and json.loads(out)["program"] != program:
        error = "another program than the plan's"
    return told({"error": error})


def make_shard(kit, verb, shard, shards, options):
    """The games of a shard and its seal."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        with Scratch(kit) as scratch:
            asked = [scratch.program, verb, "run", scratch.path, "--shard", f"{shard}/{shards}"]
            _, error = call([*asked, "--threads", "1", "--until-eof", *options])
            if error is not None:
                return told({"error": error})
            stem = os.path.join(scratch.path, f"shard-{shard:05}")
            with open(f"{stem}.games", "rb") as games, open(f"{stem}.seal.json") as seal:
                found = {"games": games.read(), "seal": seal.read()}
    except OSError as problem:
        return told({"error": str(problem)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds = time.monotonic() - began
    return told({"error": None, "seconds": seconds, "processor": processor, **found})


def sum_table(kit, table, request):
    """The sums of a table, a path on this machine or a file of a kit."""
    try:
        cache = cache_folder()
        program = bring_program(kit, cache)
        path = table if isinstance(table, str) else bring(table, cache)
        if isinstance(table, str) and not os.path.exists(path):
            return told({"error": f"{path} is not on this machine; --send brings the tables"})
    except OSError as problem:
        return told({"error": str(problem)})
    out, error = call([program, "fit", "--partial", "-", path], request)
    return told({"error": error, "sums": out})
