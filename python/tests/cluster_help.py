"""What the tests of the cluster share: a program, plans, and a look at processes."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def make_program(folder):
    """The program, without the debugging symbols that would have to be sent to every node."""
    built = Path(os.environ.get("DISCERN_PROGRAM", ROOT / "target" / "debug" / "discern"))
    program = Path(folder) / "discern"
    shutil.copy(built, program)
    subprocess.run(["strip", program], check=True)
    return str(program)


def discern(program, *arguments, code=0):
    """Runs the program; what it printed."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == code, done.stderr
    return done.stdout


def shards(folder):
    """The bytes of every finished shard by its name."""
    sealed = Path(folder).glob("shard-*.seal.json")
    names = [path.name.removesuffix(".seal.json") + ".games" for path in sealed]
    return {name: (Path(folder) / name).read_bytes() for name in names}


def processes(mark):
    """The processes that live and have this text in their environment, by number."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state != "Z":
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().decode()[:80]
        except (OSError, IndexError):
            continue
    return found


def tree(number):
    """A process and all that came from it, the oldest first."""
    children = Path(f"/proc/{number}/task").glob("*/children")
    below = []
    for file in children:
        try:
            for child in file.read_text().split():
                below.extend(tree(int(child)))
        except OSError:
            continue
    return [number, *below]


def listens(numbers):
    """The addresses, as the kernel writes them, on which these processes listen."""
    sockets = set()
    for number in numbers:
        try:
            for handle in Path(f"/proc/{number}/fd").iterdir():
                target = os.readlink(handle)
                if target.startswith("socket:["):
                    sockets.add(target[8:-1])
        except OSError:
            continue
    found = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            waiting = fields[3] == ("0A" if table.startswith("tcp") else "07")
            if waiting and fields[9] in sockets:
                found.add(fields[1].split(":")[0])
    return found


# 127.0.0.1, the same within IPv6, and ::1.
LOOPBACK = {
    "0100007F",
    "0000000000000000FFFF00000100007F",
    "00000000000000000000000001000000",
}
