"""Tables of features as columns, without a copy where the layout allows it."""

import numpy as np

from . import _native

FLOATS = (np.float32, np.float64)

# Labels whose zeros and ones the compiled half counts.
QUICK = {"bool", "int8", "uint8", "int32", "int64", "float32", "float64"}


def is_frame(X):
    """A data frame: named columns that can be taken one by one."""
    return hasattr(X, "__dataframe__") or (hasattr(X, "columns") and hasattr(X, "__getitem__"))


def frame_names(X):
    names = X.column_names if hasattr(X, "column_names") else X.columns
    names = names() if callable(names) else names
    return [str(name) for name in names]


def number_column(column):
    """One column of a frame as float32 or float64, as it lies if it may."""
    if hasattr(column, "to_numpy"):
        try:
            array = column.to_numpy(zero_copy_only=False)  # Arrow
        except TypeError:
            array = column.to_numpy()
    else:
        array = np.asarray(column)
    return as_numbers(array)


def as_numbers(array):
    array = np.asarray(array)
    if array.dtype.type not in FLOATS or not array.dtype.isnative:
        array = array.astype(np.float64)
    return array


def frame_columns(X):
    """The columns of a frame in their order."""
    if hasattr(X, "iloc"):  # pandas: a name may occur twice
        return [number_column(X.iloc[:, j]) for j in range(X.shape[1])]
    return [number_column(X[name]) for name in frame_names(X)]


def native_features(X):
    """What the compiled half takes: a list of columns, or rows as they lie."""
    if isinstance(X, list):
        return [np.ascontiguousarray(column) for column in X]
    if X.flags.c_contiguous and X.shape[1] > 1:
        return X
    return [np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])]


def zero_or_one(y):
    """How many labels are 1 and all of them as float32, if each is 0 or 1."""
    if y.dtype.name not in QUICK or not y.dtype.isnative:
        return None
    return _native.zero_or_one(np.ascontiguousarray(y))


def matrix(X):
    """The features as one two-dimensional array."""
    return np.column_stack(X) if isinstance(X, list) else X


def side_column(values, rows, name):
    """A column beside the features, as float64."""
    if values is None:
        return None
    if np.isscalar(values):
        return np.full(rows, float(values))
    values = np.ascontiguousarray(values, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"'{name}' has {values.ndim} dimensions where one is expected")
    if len(values) != rows:
        raise ValueError(f"column '{name}' has {len(values)} rows where {rows} are expected")
    return values


def group_column(groups, rows):
    """Groups of any kind as numbers from 0."""
    if groups is None:
        return None
    groups = np.asarray(groups)
    if groups.shape != (rows,):
        raise ValueError(f"column 'group' has {len(groups)} rows where {rows} are expected")
    if groups.dtype == np.uint32:
        return np.ascontiguousarray(groups)
    if groups.dtype.kind in "iu" and groups.size and groups.min() >= 0 and groups.max() < 2**32:
        return groups.astype(np.uint32)
    return np.unique(groups, return_inverse=True)[1].astype(np.uint32)
