"""Fits from Python against the Rust benchmark, on the same 2.5 million rows × 13
features, in turns: processor time of one thread, the best of several runs.

    pip install ./python
    python python/benchmarks/fits.py [--rows 2500000] [--turns 5] [--benchmark FILE]

--benchmark takes a benchmark built already (`cargo bench --no-run -p discern-stats`
prints its name).
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import discern

ROOT = Path(__file__).resolve().parents[2]
FEATURES = 13


def arrays(folder, rows):
    """The benchmark's data in every layout, and its outcomes."""
    columns = np.fromfile(folder / "columns.f32", dtype="<f4").reshape(FEATURES + 1, rows)
    single, outcome = columns[:FEATURES].T, columns[FEATURES].copy()
    layouts = {
        "Fortran, float32": np.asfortranarray(single),
        "C, float32": np.ascontiguousarray(single),
        "Fortran, float64": np.asfortranarray(single, dtype=np.float64),
        "C, float64": np.ascontiguousarray(single, dtype=np.float64),
    }
    return layouts, outcome


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def main(rows, turns, benchmark):
    start = [benchmark] if benchmark else "cargo bench -q -p discern-stats --bench fits --".split()
    start += ["--json", "--rows", str(rows), "--runs", "2"]

    def rust(*more):
        told = subprocess.check_output([*start, *more], cwd=ROOT, text=True)
        return json.loads(told)

    with tempfile.TemporaryDirectory() as folder:
        rust("--write", folder)
        layouts, outcome = arrays(Path(folder), rows)
    fit = lambda X, y: discern.LogisticRegression(threads=1).fit(X, y)
    expected = rust()["coefficients"]
    np.testing.assert_allclose(fit(layouts["C, float32"], outcome).coefficients_, expected, rtol=1e-9)
    cases = {name: (X, outcome) for name, X in layouts.items()}
    cases["C, float32, labels int64"] = (layouts["C, float32"], outcome.astype(np.int64))
    best = {}
    for _ in range(turns):
        told = rust()["log_cpu"]
        best["Rust"] = min(told, best.get("Rust", told))
        for name, (X, y) in cases.items():
            took = seconds(lambda: fit(X, y))
            best[name] = min(took, best.get(name, took))
    print(f"LOG, {rows} rows × {FEATURES} features, one thread, best of {turns} turns")
    for name, took in best.items():
        print(f"  {name:28}{1e3 * took:8.1f} ms  {took / best['Rust']:6.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_500_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--benchmark")
    main(**vars(parser.parse_args()))
