#!/usr/bin/env python3
"""Prints what the test of move adaptation in crates/learn/src/fits/moves.rs
expects: the conditional logit of statsmodels on decisions made by plain formulas.

    python3 -m venv /tmp/golden
    /tmp/golden/bin/pip install numpy statsmodels
    /tmp/golden/bin/python scripts/golden-moves.py
"""
import math

import numpy as np
from statsmodels.discrete.conditional_models import ConditionalLogit

played, features, decisions = [], [], []
for i in range(60):
    moves = 2 + i % 4
    x = [(np.float32(math.sin(1.7 * i + 2.3 * j)), np.float32(math.cos(0.9 * i - 1.1 * j)))
         for j in range(moves)]
    cost = [float(a) - 2 * float(b) + 2 * math.sin(5.0 * i + 7.0 * j)
            for j, (a, b) in enumerate(x)]
    best = cost.index(min(cost))
    for j in range(moves):
        played.append(int(j == best))
        # The board after the move is the opponent's: less is better.
        features.append([-float(v) for v in x[j]])
        decisions.append(i)
fit = ConditionalLogit(np.array(played), np.array(features), groups=np.array(decisions)).fit(
    method="newton", maxiter=100, gtol=1e-12, disp=False)
print("weights", [f"{v:.10f}" for v in fit.params])
print("errors", [f"{v:.10f}" for v in fit.bse])
