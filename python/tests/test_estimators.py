"""scikit-learn's own checks, pipelines and cross-validation."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import discern

NO_ESTIMATE = "15 rows of 30 features: maximum likelihood estimates do not exist"
CONSTANT = "features that are constant in a class have no covariance: the fit says so"
EXPECTED = {"check_sample_weight_equivalence_on_dense_data": NO_ESTIMATE}
OF_CLASSES = {
    **EXPECTED,
    "check_sample_weights_shape": CONSTANT,
    "check_sample_weights_not_overwritten": CONSTANT,
}
CHECKED = [
    (discern.LogisticRegression(), EXPECTED),
    (discern.FisherDiscriminant(), OF_CLASSES),
    (discern.QuadraticDiscriminant(), OF_CLASSES),
    (discern.LinearRegression(), EXPECTED),
    (discern.SparseLogisticRegression(), {}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model,expected", CHECKED, ids=lambda x: type(x).__name__)
def test_scikit_learn_accepts_the_estimator(model, expected):
    check_estimator(model, expected_failed_checks=expected)


def data(rows=600):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(rows, 3))
    return X, (X[:, 0] - 0.5 * X[:, 1] + rng.logistic(size=rows) > 0).astype(int)


def test_pipelines_and_searches_work():
    X, y = data()
    pipeline = make_pipeline(StandardScaler(), discern.LogisticRegression())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.6
    search = GridSearchCV(discern.LogisticRegression(), {"ridge": [0.0, 1.0]}, cv=3).fit(X, y)
    assert search.best_estimator_.predict_proba(X).shape == (600, 2)


def test_a_copy_and_a_pickle_predict_the_same():
    X, y = data()
    for model, _ in CHECKED[:3]:
        model = clone(model).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_any_layout_and_number_of_threads_gives_the_same_bits():
    X, y = data(20_000)
    one = discern.LogisticRegression(threads=1).fit(X, y)
    wide = np.zeros((20_000, 7))
    wide[:, ::3] = X
    for layout in (np.asfortranarray(X), wide[:, ::3], X[::-1][::-1]):
        other = discern.LogisticRegression(threads=2).fit(layout, y)
        assert np.array_equal(one.coef_, other.coef_)
    single = discern.LogisticRegression().fit(X.astype(np.float32), y)
    column = discern.LogisticRegression().fit(np.asfortranarray(X.astype(np.float32)), y)
    assert np.array_equal(single.coef_, column.coef_)


def test_weight_two_is_the_row_twice():
    X, y = data(200)
    weight = 1.0 + (np.arange(200) % 2)
    twice = np.repeat(np.arange(200), weight.astype(int))
    for model in (discern.LogisticRegression, discern.FisherDiscriminant):
        a, b = model().fit(X, y, weight), model().fit(X[twice], y[twice])
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9)
        np.testing.assert_allclose(a.standard_errors_(), b.standard_errors_(), rtol=1e-7)


def test_separation_is_a_warning_and_a_property():
    X = np.arange(20.0).reshape(-1, 1)
    with pytest.warns(UserWarning, match="separated"):
        model = discern.LogisticRegression().fit(X, X[:, 0] > 9)
    assert model.stop_ == "separated" and model.separated_


def test_the_summary_prints_what_was_fitted():
    X, y = data()
    model = discern.LogisticRegression().fit(X, y, groups=np.arange(600) // 4)
    text = str(model.summary())
    for part in ("LogisticRegression", "clustered by group", "Groups", "150", "P>|z|", "x3", "0.975]"):
        assert part in text, part
    assert "<table>" in model.summary()._repr_html_()
    robust = str(model.summary("robust"))
    assert "sandwich" in robust
    statistic, freedom, p = model.wald_test_()
    assert freedom == 3 and statistic > 50 and p < 1e-9
    assert "R²" in str(discern.LinearRegression().fit(X, X[:, 0] + 0.1 * y).summary())
