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

With --sparse FILE the fits are those of pattern weights, to the time at which the
log loss of games held out is within 1e-4 of that of the optimum:

    discern classify data/othello.games -o rows.svm
    /tmp/rivals/bin/pip install liblinear-official vowpalwabbit
    /tmp/rivals/bin/python scripts/bench-rivals.py --sparse rows.svm [--share S]

--rivals lbfgs,liblinear and --optimum 0.1 spare hours on millions of rows, and a rival
that is not near the goal after --limit times our processor time is tried no further.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import subprocess
import sys
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


NEAR = 1e-4


def sparse_rows(path, share):
    """Decided rows of some games as `discern classify` writes them (label, qid, discs,
    entries): entries, labels and games."""
    from scipy.sparse import csr_matrix

    # named cells become numbers, and all numbers are read at once
    blanks = bytes.maketrans(b":abcdefghijklmnopqrstuvwxyz\n", b" " * 28)
    labels, games, lengths, indices, values = [], [], [], [], []
    for lines in chunks(path):
        text = np.frombuffer(lines, dtype=np.uint8)
        ends = np.flatnonzero(text == ord("\n"))
        colons = np.searchsorted(np.flatnonzero(text == ord(":")), ends)
        entries = np.diff(np.r_[0, colons]) - 2
        numbers = np.fromstring(lines.translate(blanks), sep=" ")
        heads = np.r_[0, np.cumsum(2 * entries + 3)[:-1]]
        label, game = numbers[heads], numbers[heads + 1].astype(np.int64)
        keep = (label != 0.5) & (game * 7919 % 1000 < 1000 * share)
        cells = np.ones(len(numbers), dtype=bool)
        for at in range(3):
            cells[heads + at] = False
        cells = numbers[cells].reshape(-1, 2)[np.repeat(keep, entries)]
        labels.append(label[keep].astype(np.int64))
        games.append(game[keep])
        lengths.append(entries[keep])
        indices.append((cells[:, 0] - 1).astype(np.int32))
        values.append(cells[:, 1].astype(np.float32))
    starts = np.r_[0, np.cumsum(np.concatenate(lengths))]
    # scikit-learn and LIBLINEAR compute in doubles
    X = csr_matrix((np.concatenate(values).astype(np.float64), np.concatenate(indices), starts))
    return X, np.concatenate(labels), np.concatenate(games)


def chunks(path, size=1 << 26):
    """A file in parts of whole lines."""
    with open(path, "rb") as file:
        while part := file.read(size):
            yield part + file.readline()


def write_rows(path, X, y, games):
    """The rows as crates/stats/benches/sparse.rs reads them: an entry of ±n is
    written n times."""
    times = np.abs(X.data).astype(np.int64)
    codes = np.repeat(X.indices.astype(np.uint32) * 2 + (X.data < 0), times).astype(np.uint32)
    lengths = np.add.reduceat(np.r_[times, 0], X.indptr[:-1]) * (np.diff(X.indptr) > 0)
    starts = np.r_[0, np.cumsum(lengths + 3)]
    words = np.zeros(starts[-1] + 1, dtype=np.uint32)
    words[0] = X.shape[1]
    heads = starts[:-1] + 1
    words[heads] = games % 2**32
    words[heads + 1] = y.astype(np.float32).view(np.uint32)
    words[heads + 2] = lengths
    entries = np.ones(len(words), dtype=bool)
    entries[0] = False
    for at in range(3):
        entries[heads + at] = False
    words[entries] = codes
    words.tofile(path)


def ladder(name, steps, fit, loss, goal, limit):
    """The first step whose held-out log loss is near the goal: its seconds. If none is
    within the limit, the one with the least loss, and no seconds."""
    tried = []
    for step in steps:
        seconds, model = fit(step)
        tried.append((seconds, loss(model), step))
        print(f"    {name} {step}: {seconds:.2f} s, {tried[-1][1]:.6f}", flush=True)
        if tried[-1][1] <= goal:
            return tried[-1]
        if seconds > limit:
            break
    _, least, step = min(tried, key=lambda one: one[1])
    return float("inf"), least, step


def sparse(options):
    from sklearn.linear_model import LogisticRegression

    ridge = options.ridge
    X, y, games = sparse_rows(options.sparse, options.share)
    held = games % 10 == 0
    train, labels, test, truth = X[~held], y[~held], X[held], y[held]

    def log_loss(weights, intercept):
        eta = test @ weights[: X.shape[1]] + intercept
        return float(np.mean(np.logaddexp(0, eta) - truth * eta))

    with tempfile.TemporaryDirectory() as directory:
        rows = str(Path(directory) / "rows")
        write_rows(rows, X, y, games)
        command = ["cargo", "bench", "-q", "-p", "discern-stats", "--bench", "sparse"]
        command += options.cargo.split() + ["--", "--data", rows, "--json", "--ridge", str(ridge)]
        command += ["--threads", str(options.threads)]
        command += ["--tolerances", f"{options.optimum},20,5,2,1"]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        found = [json.loads(line) for line in done.stdout.strip().splitlines()]
        best_loss = found[0]["held_out"]
        goal = best_loss + NEAR
        near = [run for run in found if run["held_out"] <= goal]
        for run in found:
            print(f"    ours {run['tolerance']}: {run['cpu']:.2f} s, {run['held_out']:.6f}, "
                  f"{run['passes']:.1f} passes")
        mine = min(run["cpu"] for run in near)
        clock = min(run["wall"] for run in near)
        limit = options.limit * mine
        exact = found[0]
        print(f"{len(labels)} rows × {train.nnz / len(labels):.1f} of {X.shape[1]} weights, "
              f"{len(truth)} held out; optimum {best_loss:.6f}")
        print(f"ours, {options.threads} threads: {mine:.2f} s on processors, {clock:.2f} s by the "
              f"clock; to tolerance {options.optimum} {exact['cpu']:.2f} s; peak memory "
              f"{exact['peak'] / exact['bytes']:.2f} times the rows", flush=True)

        def sklearn_fit(solver, **settings):
            def fit(steps):
                model = LogisticRegression(C=1 / ridge, solver=solver, max_iter=steps, tol=1e-12,
                                           **settings)
                start = time.process_time()
                model.fit(train, labels)
                return time.process_time() - start, model
            return fit

        sk_loss = lambda model: log_loss(model.coef_[0], model.intercept_[0])
        rivals = {}
        for solver, steps in (("lbfgs", [10, 20, 40, 80, 160]), ("newton-cg", [2, 4, 6, 8, 12]),
                              ("saga", [2, 5, 10, 20])):
            if solver not in options.rivals:
                continue
            rivals["scikit-learn " + solver] = ladder(solver, steps, sklearn_fit(solver), sk_loss, goal, limit)

        if "liblinear" in options.rivals:
            from liblinear.liblinearutil import parameter, problem, train as liblinear_train

            data = problem(labels * 2 - 1, train, bias=1)

        def liblinear_fit(kind):
            def fit(tolerance):
                start = time.process_time()
                model = liblinear_train(data, parameter(f"-s {kind} -c {1 / ridge} -e {tolerance} -B 1 -q"))
                return time.process_time() - start, model
            return fit

        def liblinear_loss(model):
            weights = np.ctypeslib.as_array(model.w, (X.shape[1] + 1,))
            sign = 1 if model.label[0] == 1 else -1
            return log_loss(sign * weights, sign * weights[X.shape[1]])

        for kind, name in ((0, "LIBLINEAR primal"), (7, "LIBLINEAR dual")):
            if "liblinear" not in options.rivals:
                continue
            rivals[name] = ladder(name, [1, 0.3, 0.1, 0.03, 0.01, 0.003], liblinear_fit(kind),
                                  liblinear_loss, goal, limit)
        if "vw" in options.rivals:
            rivals["Vowpal Wabbit"] = vowpal_wabbit(directory, options, X.shape, truth, goal, limit)
        print()
        for name, (seconds, loss, step) in rivals.items():
            print(f"{name:<24}{seconds:9.2f} s {seconds / mine:6.1f} times our processor time, "
                  f"{seconds / clock:6.1f} times our clock; log loss {loss:.6f} at {step}")


def vowpal_wabbit(directory, options, shape, truth, goal, limit):
    """Passes over a cache: reading the text is not timed."""
    import resource

    folder, ridge = Path(directory), options.ridge
    # the same rows as text, by awk, as a loop of Python takes longer than all fits
    share = f"(game * 7919) % 1000 < {1000 * options.share:g}"
    program = (f'{{ game = substr($2, 5) }} $1 != "0.5" && {share} {{ file = game % 10 ? train : test; '
               '$1 = $1 * 2 - 1; $2 = "|"; $3 = ""; print > file }')
    subprocess.run(["awk", "-v", f"train={folder / 'ordered.vw'}", "-v", f"test={folder / 'test.vw'}",
                    program, options.sparse], check=True)
    # stochastic steps want the rows in any order but that of the game
    subprocess.run(["shuf", "--random-source", options.sparse, str(folder / "ordered.vw"), "-o",
                    str(folder / "train.vw")], check=True)
    (folder / "ordered.vw").unlink()
    # the smallest table that holds all indices: a larger one is slower
    vw = [sys.executable, "-m", "vowpalwabbit", "--quiet", "-b", str(shape[1].bit_length())]
    cache = ["--cache_file", str(folder / "cache")]
    subprocess.run(vw + ["-d", str(folder / "train.vw")] + cache, check=True)

    def fit(setting):
        model = str(folder / "model")
        used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        start = used()
        subprocess.run(vw + cache + ["--loss_function", "logistic", "--holdout_off", "-f", model] + setting.split(), check=True)
        return used() - start, model

    def loss(model):
        raw = folder / "raw"
        subprocess.run(vw + ["-t", "-i", model, "-d", str(folder / "test.vw"), "-r", str(raw)], check=True)
        eta = np.array([float(line.split()[0].split(":")[-1]) for line in open(raw)])
        return float(np.mean(np.logaddexp(0, eta) - truth * eta))

    # its own penalty shrinks more with every pass; without one it stops early
    penalties = ["", f" --l2 {ridge / (shape[0] - len(truth))}"]
    settings = [f"--passes {passes} -l {rate}{penalty}" for passes in (1, 2, 3, 4, 8)
                for rate in (0.2, 0.5) for penalty in penalties]
    return ladder("Vowpal Wabbit", settings, fit, loss, goal, limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_500_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--wall", action="store_true", help="by the clock")
    parser.add_argument("--slow", action="store_true", help="statsmodels, too")
    parser.add_argument("--sparse", metavar="FILE", help="fits of pattern weights to these rows")
    parser.add_argument("--share", type=float, default=1.0, help="of the games of --sparse")
    parser.add_argument("--ridge", type=float, default=10.0, help="of --sparse; where it is too "
                        "weak for the rows, who stops early is better than the optimum")
    parser.add_argument("--threads", type=int, default=2, help="of our sparse fit")
    parser.add_argument("--optimum", type=float, default=0.001, help="tolerance of our sparse fit "
                        "that is taken for the optimum")
    parser.add_argument("--limit", type=float, default=20, help="times our processor time after "
                        "which a sparse rival is tried no further")
    parser.add_argument("--rivals", default="lbfgs,newton-cg,saga,liblinear,vw", help="of the sparse fit")
    parser.add_argument("--cargo", default="", help="further options of cargo bench")
    options = parser.parse_args()
    options.rivals = options.rivals.split(",")
    if options.sparse:
        sparse(options)
        return
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
