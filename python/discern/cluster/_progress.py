"""What a run says while it lasts."""

import json
import os
import sys
import time

STATUS = "cluster-status.json"
# How often the line is drawn on a terminal, and printed elsewhere, in seconds.
DRAW_EVERY, PRINT_EVERY = 0.5, 30.0


def clock(seconds):
    """Seconds as hours, minutes and seconds."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


class Progress:
    """A line on a terminal, lines elsewhere, and a file for `status`."""

    def __init__(self, path, stream=sys.stderr):
        self.path, self.stream = path, stream
        self.live = stream.isatty()
        self.drawn = time.monotonic() - (PRINT_EVERY - 3.0)

    def say(self, sentence):
        """Prints a sentence above the line."""
        self._clear()
        print(sentence, file=self.stream, flush=True)

    def show(self, shards, pool):
        """Draws how far it is, if that was not done of late."""
        now = time.monotonic()
        if now - self.drawn < (DRAW_EVERY if self.live else PRINT_EVERY):
            return
        self.drawn = now
        facts = measure(shards, pool)
        print(("\r\x1b[K" if self.live else "") + sentence(facts),
              end="" if self.live else "\n", file=self.stream, flush=True)
        self._save(facts)

    def end(self, shards, pool):
        """Clears the line; the file says that nobody works any more."""
        self._clear()
        self._save({**measure(shards, pool), "working": False})

    def _clear(self):
        if self.live:
            print("\r\x1b[K", end="", file=self.stream)

    def _save(self, facts):
        place = os.path.join(self.path, STATUS)
        aside = f"{place}.{os.getpid()}.part"
        with open(aside, "w") as file:
            json.dump(facts, file)
        os.replace(aside, place)


def measure(shards, pool):
    """How far it is, as numbers."""
    seconds = max(time.monotonic() - shards.begun, 1e-9)
    rate, left = shards.done / seconds, len(shards.missing)
    return {
        "working": True,
        "at": time.time(),
        "process": os.getpid(),
        "shards": shards.total,
        "whole": shards.total - left,
        "running": len(pool.running),
        "games_per_second": shards.games / seconds,
        "seconds_left": left / rate if rate > 0 else None,
        "nodes": len(pool.workers),
        "processors": sum(node.slots for node in pool.workers) * pool.threads,
        "retries": shards.lost,
        "audited": shards.audited,
    }


def sentence(facts):
    """The same as a line."""
    left = facts["seconds_left"]
    parts = [
        f"{facts['whole']}/{facts['shards']} shards",
        f"{facts['games_per_second']:.1f} games/s",
        "time left unknown" if left is None else f"{clock(left)} left",
        f"{facts['nodes']} nodes",
        f"{facts['retries']} retries",
    ]
    if facts["audited"]:
        parts.append(f"{facts['audited']} audited")
    return ", ".join(parts)
