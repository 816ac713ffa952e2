"""The table that a fit prints, as users of statsmodels know it."""

import html

KIND = {
    "information": "model-based",
    "corrected": "model-based",
    "robust": "robust (sandwich)",
    "clustered": "clustered by group",
}


class Summary:
    """A fit as text (`print`) and as HTML (a notebook)."""

    def __init__(self, model, kind, confidence):
        table = model.estimates_(kind, confidence)
        tail = 50 * (1 - confidence)
        freedom = model._degrees_of_freedom(kind)
        letter = "z" if freedom is None else "t"
        self.title = type(model).__name__
        self.head = ["", "coef", "std err", letter, f"P>|{letter}|"]
        self.head += [f"[{tail / 100:.3g}", f"{1 - tail / 100:.4g}]"]
        columns = ("coef", "error", "statistic", "p_value", "low", "high")
        self.rows = [
            [name, *(_cell(key, table[key][j]) for key in columns)]
            for j, name in enumerate(table["name"])
        ]
        facts = [("Rows", f"{model.n_rows_:.10g}")]
        if model.n_groups_:
            facts.append(("Groups", str(model.n_groups_)))
        facts.append(("Log-likelihood", f"{model.log_likelihood_:.6g}"))
        facts += [(name, f"{value:.6g}") for name, value in model._facts()]
        trials = getattr(model, "invented_trials", 1)
        invented = {"information": f", {trials:g} trials a row", "corrected": ", one trial a row"}
        facts.append(("Standard errors", KIND[kind] + (invented.get(kind, "") if trials != 1 else "")))
        if not model._closed_form:
            facts.append(("Stopped", f"{model.stop_} after {model.n_iter_} steps"))
        self.facts = facts

    def __str__(self):
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows)]
        def line(cells):
            first, *others = (
                cell.ljust(width) if j == 0 else cell.rjust(width)
                for j, (cell, width) in enumerate(zip(cells, widths))
            )
            return "  ".join([first, *others]).rstrip()

        rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
        name = max(len(name) for name, _ in self.facts)
        facts = [f"{key.ljust(name)}  {value}" for key, value in self.facts]
        table = [line(self.head), rule, *map(line, self.rows)]
        return "\n".join([self.title, rule, *facts, rule, *table, rule])

    __repr__ = __str__

    def _repr_html_(self):
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        facts = "".join(row(fact, "td") for fact in self.facts)
        rows = "".join(row(cells, "td") for cells in self.rows)
        return (
            f"<b>{self.title}</b><table>{facts}</table>"
            f"<table><thead>{row(self.head, 'th')}</thead><tbody>{rows}</tbody></table>"
        )


def _cell(key, value):
    return f"{value:.3f}" if key in ("statistic", "p_value") else f"{value:.4f}"
