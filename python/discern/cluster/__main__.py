"""The command line: ``python -m discern.cluster``."""

import argparse
import json
import os
import sys

from . import fit, run, status
from ._connect import cluster
from ._status import describe


def share(text):
    """A share, as 1% or 0.01."""
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a share: write 1% or 0.01")
    return value


def names(text):
    """Names with commas between them."""
    return text.split(",")


def of_cluster(command):
    """The options that say which cluster."""
    command.add_argument("--address", metavar="HOST:PORT",
                         help="the cluster's, 'auto' for the one of this machine; a cluster of "
                         "this machine alone if left out")
    command.add_argument("--program", metavar="FILE",
                         help="the program that machines run; 'discern' of the path if left out")
    command.add_argument("--processors", type=int, metavar="N",
                         help="processors of a cluster of this machine alone; all if left out")
    command.add_argument("--patience", type=float, default=60.0, metavar="SECONDS",
                         help="how long to wait for a machine or an answer (%(default).0f)")


def parser():
    """All arguments."""
    top = argparse.ArgumentParser(prog="python -m discern.cluster", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)

    command = commands.add_parser("run", help="make the missing shards of plans")
    command.add_argument("plans", nargs="+", metavar="PLAN", help="folder with a plan")
    of_cluster(command)
    command.add_argument("--audit", type=share, default=0.0, metavar="SHARE",
                         help="make this share of the shards again elsewhere and compare, as 1%%")
    command.add_argument("--other-build", action="store_true",
                         help="resume although another build of the program began")
    command.add_argument("--restart", action="store_true",
                         help="start a foreign program again that has died (tournaments)")

    command = commands.add_parser("status", help="say how far plans are")
    command.add_argument("plans", nargs="+", metavar="PLAN", help="folder with a plan")
    command.add_argument("--json", action="store_true", help="print one JSON object per plan")

    command = commands.add_parser("fit", help="fit models to the rows of many tables")
    command.add_argument("tables", nargs="+", metavar="TABLE", help="CSV or Parquet file")
    of_cluster(command)
    command.add_argument("--send", action="store_true",
                         help="bring the tables to the machines instead of reading them there")
    for name, what in (("label", "results"), ("of", "trials"), ("weight", "weights"),
                       ("phase", "phases")):
        command.add_argument(f"--{name}", metavar="COLUMN", required=name == "label",
                             help=f"column of {what}")
    command.add_argument("--features", type=names, default=[], metavar="COLUMNS",
                         help="features, if not all remaining columns")
    command.add_argument("--exclude", type=names, default=[], metavar="COLUMNS",
                         help="columns that are not features")
    command.add_argument("--models", type=names, default=["log", "fisher", "quad"],
                         metavar="MODELS", help="of log, fisher, quad")
    command.add_argument("--window", type=int, default=2, metavar="N",
                         help="phases on either side that lend their rows (%(default)s)")
    command.add_argument("--trials", type=int, default=100, metavar="N",
                         help="trials behind each row of LOG (%(default)s)")
    command.add_argument("--ridge", type=float, default=0.0, metavar="PENALTY",
                         help="ridge penalty of LOG (%(default)s)")
    command.add_argument("--prior", choices=["equal", "data"], default="equal",
                         help="a priori probabilities of FISHER and QUAD")
    command.add_argument("--output", metavar="FILE", help="write the models for `discern predict`")
    return top


def run_plans(args):
    """Runs the plans one after the other."""
    done = True
    with cluster(args.address, args.processors) as ray:
        for plan in args.plans:
            done &= run(plan, program=args.program, audit=args.audit, restart=args.restart,
                        other_build=args.other_build, patience=args.patience, ray=ray)
    return 0 if done else 1


def print_status(args):
    """Says how far plans are."""
    for plan in args.plans:
        found = status(plan)
        print(json.dumps(found) if args.json else "\n".join(describe(found)))
    return 0


def fit_tables(args):
    """Fits models, and prints them as `discern fit --json` does."""
    if args.output and os.path.exists(args.output):
        raise ValueError(f"{args.output}: the file exists")
    options = vars(args)
    columns = ("label", "of", "weight", "phase", "features", "exclude")
    settings = ("models", "window", "trials", "ridge", "prior")
    where = ("address", "program", "processors", "patience", "send")
    chosen = {name: options[name] for name in (*columns, *settings, *where)}
    lines, model, doubts = fit(args.tables, say=complain, **chosen)
    if args.output:
        aside = f"{args.output}.part"
        with open(aside, "w") as file:
            file.write(model)
        os.replace(aside, args.output)
    print("\n".join(lines))
    for doubt in doubts:
        complain(doubt)
    return 0


def complain(sentence):
    """A sentence that is no result."""
    print(sentence, file=sys.stderr, flush=True)


def main():
    """Does what the arguments say; the exit code."""
    args = parser().parse_args()
    work = {"run": run_plans, "status": print_status, "fit": fit_tables}[args.command]
    try:
        return work(args)
    except (ValueError, OSError) as error:
        complain(f"discern.cluster: {error}")
        return 1


sys.exit(main())
