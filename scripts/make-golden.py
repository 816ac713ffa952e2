#!/usr/bin/env python3
"""Makes more-golden.json and sparse-golden.json in crates/stats/tests/golden.

Rows come from golden-fit.csv, with weights, games, counts and a score added by
plain formulas. Every answer is computed with 50 digits by mpmath straight from
its definition and then checked against statsmodels, scipy and scikit-learn
where they know the quantity, so that a slip in this file does not become truth.

Sparse rows are too many for a file and for mpmath: 200,000 rows come from whole
numbers that the test computes as well, and the answer is Newton's method in
doubles until nothing moves, checked against scikit-learn's lbfgs and liblinear.

    python3 -m venv /tmp/golden
    /tmp/golden/bin/pip install mpmath numpy scipy statsmodels scikit-learn
    /tmp/golden/bin/python scripts/make-golden.py
"""
import csv
import json
from pathlib import Path

import numpy as np
import statsmodels.api as sm
from mpmath import mp, mpf, matrix, exp, log, sqrt
from scipy import stats
from sklearn.metrics import roc_auc_score

mp.dps = 50
GOLDEN = Path(__file__).resolve().parent.parent / "crates/stats/tests/golden"


def read_rows():
    rows = []
    with open(GOLDEN / "golden-fit.csv") as file:
        for i, cells in enumerate(csv.DictReader(file)):
            share = {"W": 1.0, "D": 0.5, "L": 0.0}[cells["result"]]
            x = [float(cells[name]) for name in ("x1", "x2", "x3")]
            trials = 3 + i % 5
            rows.append({
                "x": x,
                "outcome": share,
                "weight": float(1 + i % 3),
                "group": i // 4,
                "trials": float(trials),
                "successes": float((i * 7 + int(x[0] > 0) * 2) % (trials + 1)),
                "score": x[0] * 3 + x[1] * 2 - x[2] + ((i * 37) % 23 - 11) / 4,
            })
    return rows


def close(ours, theirs, tolerance, what):
    theirs = np.asarray(theirs, dtype=float)
    ours = np.asarray([float(v) for v in ours]).reshape(theirs.shape)
    worst = np.max(np.abs(ours - theirs) / np.maximum(np.abs(theirs), 1e-3))
    assert worst < tolerance, f"{what}: {worst}"


def design(rows):
    return [[mpf(1)] + [mpf(v) for v in row["x"]] for row in rows]


def logistic(X, y, n, w):
    """Newton from 0 to 40 digits; β, information and log-likelihood."""
    k = len(X[0])
    beta = matrix(k, 1)
    for _ in range(60):
        gradient, information = matrix(k, 1), matrix(k, k)
        for x, yi, ni, wi in zip(X, y, n, w):
            p = 1 / (1 + exp(-sum(x[j] * beta[j] for j in range(k))))
            for i in range(k):
                gradient[i] += wi * (yi - ni * p) * x[i]
                for j in range(k):
                    information[i, j] += wi * ni * p * (1 - p) * x[i] * x[j]
        step = mp.lu_solve(information, gradient)
        beta += step
        if max(abs(v) for v in step) < mpf(10) ** -40:
            break
    else:
        raise SystemExit("no convergence")
    likelihood = mpf(0)
    residuals = []
    for x, yi, ni, wi in zip(X, y, n, w):
        p = 1 / (1 + exp(-sum(x[j] * beta[j] for j in range(k))))
        likelihood += wi * (yi * log(p) + (ni - yi) * log(1 - p))
        residuals.append(yi - ni * p)
    return beta, information, likelihood, residuals


def sandwich(bread, X, residuals, w, groups, factor):
    """Robust (weights are frequencies) and clustered covariances."""
    k = len(X[0])
    meat, sums = matrix(k, k), {}
    for x, r, wi, g in zip(X, residuals, w, groups):
        u = matrix([r * v for v in x])
        meat += wi * u * u.T
        sums[g] = sums.get(g, matrix(k, 1)) + wi * u
    clusters = matrix(k, k)
    for u in sums.values():
        clusters += u * u.T
    return bread * meat * bread, bread * clusters * bread * factor(len(sums))


def errors(covariance):
    return [sqrt(covariance[i, i]) for i in range(covariance.rows)]


def log_case(rows, y, n, weighted):
    X = design(rows)
    w = [mpf(row["weight"]) if weighted else mpf(1) for row in rows]
    beta, information, likelihood, residuals = logistic(X, y, n, w)
    bread = information ** -1
    groups = [row["group"] for row in rows]
    robust, clustered = sandwich(bread, X, residuals, w, groups, lambda g: mpf(g) / (g - 1))

    # The same with statsmodels, weighted rows written out.
    repeat = [int(v) for v in w]
    full = np.repeat(np.array(X, dtype=float), repeat, axis=0)
    counts = np.repeat(np.array([[float(a), float(b - a)] for a, b in zip(y, n)]), repeat, axis=0)
    labels = np.repeat(np.array(groups), repeat)
    model = sm.GLM(counts, full, family=sm.families.Binomial())
    close(beta, model.fit(tol=1e-14).params, 1e-9, "beta")
    close(errors(bread), model.fit(tol=1e-14).bse, 1e-7, "information")
    close(errors(robust), model.fit(tol=1e-14, cov_type="HC0").bse, 1e-7, "robust")
    count = len(set(groups))
    by_group = model.fit(tol=1e-14, cov_type="cluster",
                         cov_kwds={"groups": labels, "use_correction": False}).bse
    close(errors(clustered), by_group * np.sqrt(count / (count - 1)), 1e-7, "clustered")
    return {
        "beta": beta, "se_information": errors(bread), "se_robust": errors(robust),
        "se_clustered": errors(clustered), "log_likelihood": likelihood,
    }


def ols_case(rows):
    X = design(rows)
    w = [mpf(row["weight"]) for row in rows]
    s = [mpf(row["score"]) for row in rows]
    k, n = len(X[0]), sum(w)
    gram, right = matrix(k, k), matrix(k, 1)
    for x, si, wi in zip(X, s, w):
        for i in range(k):
            right[i] += wi * x[i] * si
            for j in range(k):
                gram[i, j] += wi * x[i] * x[j]
    bread = gram ** -1
    beta = bread * right
    residuals = [si - sum(x[j] * beta[j] for j in range(k)) for x, si in zip(X, s)]
    variance = sum(wi * r * r for wi, r in zip(w, residuals)) / (n - k)
    mean = sum(wi * si for wi, si in zip(w, s)) / n
    total = sum(wi * (si - mean) ** 2 for wi, si in zip(w, s))
    groups = [row["group"] for row in rows]
    robust, clustered = sandwich(
        bread, X, residuals, w, groups,
        lambda g: mpf(g) / (g - 1) * (n - 1) / (n - k))
    robust *= n / (n - k)

    repeat = [int(v) for v in w]
    full = np.repeat(np.array(X, dtype=float), repeat, axis=0)
    score = np.repeat(np.array([float(v) for v in s]), repeat)
    labels = np.repeat(np.array(groups), repeat)
    fit = sm.OLS(score, full).fit()
    close(beta, fit.params, 1e-10, "ols")
    close(errors(bread * variance), fit.bse, 1e-10, "ols se")
    close(errors(robust), fit.get_robustcov_results("HC1").bse, 1e-10, "HC1")
    close(errors(clustered),
          fit.get_robustcov_results("cluster", groups=labels).bse, 1e-10, "ols cluster")
    t = [b / e for b, e in zip(beta, errors(bread * variance))]
    return {
        "beta": beta, "se": errors(bread * variance), "se_robust": errors(robust),
        "se_clustered": errors(clustered), "t": t, "p": [mpf(float(v)) for v in fit.pvalues],
        "r_squared": 1 - variance * (n - k) / total, "residual_variance": variance,
        "log_likelihood": mpf(fit.llf),
    }


def covariance(rows, weight):
    """Mean and maximum likelihood covariance under a weight per row."""
    total = sum(weight)
    mean = [sum(w * mpf(r["x"][j]) for w, r in zip(weight, rows)) / total for j in range(3)]
    sigma = matrix(3, 3)
    for w, r in zip(weight, rows):
        d = [mpf(r["x"][j]) - mean[j] for j in range(3)]
        for i in range(3):
            for j in range(3):
                sigma[i, j] += w * d[i] * d[j] / total
    return total, mean, sigma


def diagnostics_case(rows):
    decided = [row for row in rows if row["outcome"] != 0.5]
    won = [mpf(row["outcome"]) for row in decided]
    lost = [1 - v for v in won]
    n, mean_w, sigma_w = covariance(decided, won)
    m, mean_l, sigma_l = covariance(decided, lost)
    pooled = (sigma_w * n + sigma_l * m) / (n + m)
    k = 3
    unbiased = (n + m - 2) * log(mp.det(pooled * (n + m) / (n + m - 2))) \
        - (n - 1) * log(mp.det(sigma_w * n / (n - 1))) \
        - (m - 1) * log(mp.det(sigma_l * m / (m - 1)))
    correction = 1 - (1 / (n - 1) + 1 / (m - 1) - 1 / (n + m - 2)) \
        * mpf(2 * k * k + 3 * k - 1) / (6 * (k + 1))
    chi2 = unbiased * correction
    difference = sigma_w - sigma_l
    relative = sqrt(sum(v * v for v in difference)) / sqrt(sum(v * v for v in pooled))
    d = matrix([a - b for a, b in zip(mean_w, mean_l)])
    quotient = (sigma_w ** -1) * sigma_l + (sigma_l ** -1) * sigma_w
    in_cov = sum(quotient[i, i] for i in range(3)) / 2 - 3
    in_means = (d.T * (sigma_w ** -1 + sigma_l ** -1) * d)[0] / 2

    _, _, everything = covariance(decided, [mpf(1)] * len(decided))
    inverse = everything ** -1
    inflation = [everything[j, j] * inverse[j, j] for j in range(3)]

    shapes = []
    for j in range(3):
        for weight, label in ((won, 1.0), (lost, 0.0)):
            x = [mpf(r["x"][j]) for r, w in zip(decided, weight) if w == 1]
            mean = sum(x) / len(x)
            m2, m3, m4 = (sum((v - mean) ** p for v in x) / len(x) for p in (2, 3, 4))
            shapes += [m3 / m2 ** mpf(1.5), m4 / m2 ** 2 - 3]
            plain = np.array([r["x"][j] for r in decided if r["outcome"] == label])
            close(shapes[-2:], [stats.skew(plain), stats.kurtosis(plain)], 1e-9, "shape")

    # Ties on purpose: x2 alone is the prediction.
    auc = roc_auc_score([int(r["outcome"]) for r in decided], [r["x"][1] for r in decided])
    pairs = wrong = mpf(0)
    for a in rows:
        for b in rows:
            if a["outcome"] > b["outcome"]:
                pairs += 1
                wrong += (a["x"][1] < b["x"][1]) + mpf(a["x"][1] == b["x"][1]) / 2
    return {
        "box_m": unbiased, "box_chi_squared": chi2,
        "box_p": mpf(float(stats.chi2.sf(float(chi2), k * (k + 1) / 2))),
        "relative_difference": relative, "covariance_share": in_cov / (in_cov + in_means),
        "inflation": inflation, "shapes": shapes,
        "discordance_decided": mpf(1 - auc), "discordance_with_draws": wrong / pairs,
    }


SPARSE_ROWS, PATTERNS, CONFIGURATIONS, RIDGE = 200_000, 8, 25, 0.5


def scrambled(values):
    """SplitMix64 of each value."""
    with np.errstate(over="ignore"):
        z = values.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def sparse_case():
    """Eight patterns a row, the frequent configurations far more so; every third
    value is -1; a row is won by a sum of whole numbers and by chance."""
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    rows = np.arange(SPARSE_ROWS, dtype=np.uint64)
    columns, values, score = [], [], np.zeros(SPARSE_ROWS, dtype=np.int64)
    for pattern in range(PATTERNS):
        chance = scrambled(rows * np.uint64(16) + np.uint64(pattern))
        spread = chance % np.uint64(CONFIGURATIONS) * (chance >> np.uint64(32)) % np.uint64(CONFIGURATIONS)
        sign = np.where(chance >> np.uint64(60) < 5, -1, 1)
        columns.append(spread.astype(np.int64) + CONFIGURATIONS * pattern)
        values.append(sign)
        score += sign * ((columns[-1] * 7) % 23 - 11)
    noise = (scrambled(rows * np.uint64(16) + np.uint64(15)) % np.uint64(121)).astype(np.int64) - 60
    y = (score + noise > 0).astype(float)
    k = PATTERNS * CONFIGURATIONS
    flat = np.array(values, dtype=float).T.ravel()
    places = np.array(columns).T.ravel()
    X = sparse.csr_matrix((flat, places, np.arange(0, PATTERNS * SPARSE_ROWS + 1, PATTERNS)),
                          shape=(SPARSE_ROWS, k))
    X.sum_duplicates()
    full = sparse.hstack([X, np.ones((SPARSE_ROWS, 1))], format="csr")
    penalty = np.r_[np.full(k, RIDGE), 0.0]
    beta = np.zeros(k + 1)
    for _ in range(50):
        p = 1 / (1 + np.exp(-(full @ beta)))
        gradient = full.T @ (y - p) - penalty * beta
        information = (full.T @ full.multiply((p * (1 - p))[:, None]).tocsr()).toarray()
        information += np.diag(penalty)
        step = np.linalg.solve(information, gradient)
        beta += step
        if np.max(np.abs(step)) < 1e-14:
            break
    eta = full @ beta
    likelihood = float(np.sum(y * eta - np.logaddexp(0, eta)))
    for solver, tolerance in (("lbfgs", 1e-10), ("newton-cg", 1e-10)):
        model = LogisticRegression(C=1 / RIDGE, solver=solver, tol=tolerance, max_iter=10_000)
        model.fit(X, y)
        theirs = np.r_[model.coef_[0], model.intercept_]
        worst = np.max(np.abs(theirs - beta))
        assert worst < 1e-6, f"{solver}: {worst}"
        print(f"sparse: {solver} differs by {worst:.1e}")
    return {
        "note": "made by scripts/make-golden.py; do not edit",
        "rows": SPARSE_ROWS, "patterns": PATTERNS, "configurations": CONFIGURATIONS,
        "ridge": RIDGE, "won": float(y.sum()), "weights": list(beta[:k]), "intercept": beta[k],
        "errors": list(np.sqrt(np.diag(np.linalg.inv(information)))),
        "log_likelihood": likelihood,
    }


def digits(value):
    """Many digits as text: JSON numbers would be cut to 16."""
    if isinstance(value, dict):
        return {key: digits(inner) for key, inner in value.items()}
    if isinstance(value, (list, matrix)):
        return [digits(inner) for inner in value]
    return mp.nstr(value, 25) if isinstance(value, mpf) else value


def main():
    rows = read_rows()
    paper = {1.0: 99, 0.5: 50, 0.0: 1}
    hundred = [mpf(100)] * len(rows)
    decided = [row for row in rows if row["outcome"] != 0.5]
    result = {
        "note": "made by scripts/make-golden.py; do not edit",
        "rows": rows,
        "log_weighted": log_case(rows, [mpf(paper[r["outcome"]]) for r in rows], hundred, True),
        "log_binary": log_case(decided, [mpf(r["outcome"]) for r in decided],
                               [mpf(1)] * len(decided), False),
        "log_counts": log_case(rows, [mpf(r["successes"]) for r in rows],
                               [mpf(r["trials"]) for r in rows], True),
        "ols": ols_case(rows),
        "diagnostics": diagnostics_case(rows),
    }
    with open(GOLDEN / "more-golden.json", "w") as file:
        json.dump(digits(result), file, indent=1)
        file.write("\n")
    with open(GOLDEN / "sparse-golden.json", "w") as file:
        json.dump(sparse_case(), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
