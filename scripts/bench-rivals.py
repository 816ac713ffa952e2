#!/usr/bin/env python3
"""Times our fits and their rivals on the same data, and prints the ratios.

Everything runs on one thread with the data in memory; only the fit is timed,
and the best of a few runs counts. The answers of the logistic regressions are
compared, so that nobody is fast by being wrong (at a tolerance of 1e-9 the rivals
stop two units of the ninth digit short of the estimates; hence 1e-10). Times are those spent on a
processor, which other work on the machine disturbs least; --wall takes the
clock instead.

    python3 -m venv /tmp/rivals
    /tmp/rivals/bin/pip install numpy scikit-learn glum statsmodels
    /tmp/rivals/bin/python scripts/bench-rivals.py [--rows N] [--wall]
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")
FEATURES = 13
ROOT = Path(__file__).resolve().parent.parent


def ours(rows, runs, directory):
    command = ["cargo", "bench", "-q", "-p", "discern-stats", "--bench", "fits", "--",
               "--rows", str(rows), "--runs", str(runs), "--write", directory, "--json"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def best(runs, clock, work):
    least, result = float("inf"), None
    for _ in range(runs):
        start = clock()
        result = work()
        least = min(least, clock() - start)
    return least, result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_500_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--wall", action="store_true", help="by the clock")
    parser.add_argument("--slow", action="store_true", help="statsmodels, too")
    options = parser.parse_args()
    clock = time.perf_counter if options.wall else time.process_time
    suffix = "" if options.wall else "_cpu"

    with tempfile.TemporaryDirectory() as directory:
        found = ours(options.rows, 2 * options.runs, directory)
        columns = np.fromfile(Path(directory) / "columns.f32", dtype="<f4")
    columns = columns.reshape(FEATURES + 1, options.rows)
    # The layouts and types the rivals like best.
    X = np.ascontiguousarray(columns[:FEATURES].T, dtype=np.float64)
    y = columns[FEATURES].astype(np.int64)
    expected = np.array(found["coefficients"])

    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression

    def newton_cholesky():
        model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10, max_iter=100)
        model.fit(X, y)
        return np.r_[model.intercept_, model.coef_[0]]

    def glum():
        from glum import GeneralizedLinearRegressor
        model = GeneralizedLinearRegressor(family="binomial", alpha=0, gradient_tol=1e-10)
        model.fit(X, y.astype(np.float64))
        return np.r_[model.intercept_, model.coef_]

    def statsmodels():
        import statsmodels.api as sm
        model = sm.GLM(y, sm.add_constant(X), family=sm.families.Binomial())
        return model.fit(tol=1e-12).params

    logistic = [("scikit-learn newton-cholesky", newton_cholesky, 20.0), ("glum", glum, 6.0)]
    if options.slow:
        logistic.append(("statsmodels GLM", statsmodels, 0.0))
    by = "by the clock" if options.wall else "on a processor"
    print(f"{options.rows} rows × {FEATURES} features, one thread, seconds {by}")
    mine = found["log" + suffix]
    print(f"{'LOG':<42}{mine:8.3f}")
    for name, work, target in logistic:
        seconds, coefficients = best(options.runs, clock, work)
        difference = np.max(np.abs(coefficients - expected) / np.abs(expected))
        print(f"  {name:<40}{seconds:8.3f}   {seconds / mine:5.1f} times as long (target {target:g}), "
              f"largest relative difference {difference:.0e}")

    mine = found["discriminants" + suffix]
    print(f"{'FISHER and QUAD from one pass':<42}{mine:8.3f}")
    # newer releases know QDA's eigen solver, older ones have only the SVD
    lda, _ = best(options.runs, clock, lambda: LinearDiscriminantAnalysis(solver="lsqr").fit(X, y))
    try:
        quadratic = lambda: QuadraticDiscriminantAnalysis(solver="eigen").fit(X, y)
        qda, _ = best(options.runs, clock, quadratic)
        solver = "eigen"
    except TypeError:
        qda, _ = best(options.runs, clock, lambda: QuadraticDiscriminantAnalysis().fit(X, y))
        solver = "svd"
    print(f"  {'scikit-learn LDA lsqr + QDA ' + solver:<40}{lda + qda:8.3f}   "
          f"{(lda + qda) / mine:5.1f} times as long (target 5)")
    print(f"{'LOG, FISHER and QUAD':<42}{found['all' + suffix]:8.3f}   (target 0.5)")
    print(f"two threads: {found['all'] / found['all_two_threads']:.2f} times as fast by the clock (target 1.7)")
    print(f"peak memory: {found['peak_bytes'] / found['data_bytes']:.3f} times the data (target below 1.2)")


if __name__ == "__main__":
    main()
