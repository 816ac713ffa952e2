"""From the shipped games to the paper's three models and their calibration.

    pip install ./python[frames,plots]
    python python/examples/paper.py [--discs 36] [--output paper.svg]
"""

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas

import discern


def main(discs=36, output="paper.svg"):
    # Every position of the games with its outcome in the tree of all of them;
    # the paper fits a phase with the positions of two discs either way.
    positions = discern.read_positions()
    positions = positions[positions.discs.between(discs - 2, discs + 2)].reset_index(drop=True)
    training, test = discern.split_by_game(positions, test_share=0.2)
    learned, held_out = positions[training].reset_index(drop=True), positions[test]
    print(f"{len(learned)} positions to learn from, {len(held_out)} of other games to test on\n")

    # Features by tables that leave out a position's own games.
    basis, X, rows = discern.learn_features(learned)
    X = pandas.DataFrame(X, columns=basis.names)
    known = learned.iloc[rows]
    won, drawn = known.outcome == 1, known.outcome == 0.5
    X_test = pandas.DataFrame(discern.features(held_out, basis), columns=basis.names)

    models = {
        "LOG": discern.LogisticRegression(invented_trials=100),
        "FISHER": discern.FisherDiscriminant(prior="equal"),
        "QUAD": discern.QuadraticDiscriminant(prior="equal"),
    }
    figure, axes = plt.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    found = {}
    for name, model in models.items():
        model.fit(X, won, draws=drawn, groups=known.group)
        f = model.decision_function(X_test)
        found[name] = discern.measures(held_out.outcome, log_odds=f, groups=held_out.group)
        line = "  ".join(
            f"{what.replace('_', ' ')} {found[name][what].value:.4f} ± {found[name][what].error:.4f}"
            for what in ("discordance", "log_loss", "brier")
        )
        print(f"{name:<7}{line}")
        curve = discern.calibration(held_out.outcome, log_odds=f, groups=held_out.group, bins=20)
        errors = [curve["observed"] - curve["low"], curve["high"] - curve["observed"]]
        axes.errorbar(curve["predicted"], curve["observed"], errors, label=name, marker="o", markersize=3)

    print(f"\n{models['LOG'].summary()}")
    axes.set(xlabel="predicted", ylabel="won", title=f"Calibration at {discs} discs, unseen games")
    axes.legend()
    figure.savefig(output)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--discs", type=int, default=36)
    parser.add_argument("--output", default="paper.svg")
    main(**vars(parser.parse_args()))
