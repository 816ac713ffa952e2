"""The example of the paper runs and finds what the paper found."""

import runpy
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[1] / "examples/paper.py"


def test_the_paper_in_a_page(tmp_path):
    picture = tmp_path / "paper.svg"
    found = runpy.run_path(str(EXAMPLE))["main"](output=picture)
    for measured in found.values():
        assert 0.05 < measured["discordance"].value < 0.35
        assert measured["discordance"].error < 0.01
    # Draws are few and the classes nearly normal: the models differ little, and
    # QUAD, which has 91 more numbers to learn, gains nothing in log loss.
    assert found["LOG"]["log_loss"].value < found["QUAD"]["log_loss"].value
    assert picture.read_text().count("<path") > 20
