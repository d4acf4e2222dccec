"""Fields of NumPy's records at a third of their price, for interpreted kernels."""

import numpy as np

_GET, _SET = np.void.__getitem__, np.void.__setitem__
_OWN_SET = np.record.__setattr__


def quick_fields():
    """Let `record.name` go straight to the field.

    NumPy's own way raises and catches an error first, and looks the field up in Python: half of
    the time of everything interpreted.
    """
    if "__getattribute__" in vars(np.record):
        # A mistake in a kernel is told with its line: the innermost one that is not a library's.
        library = np.record.__getattribute__.__code__.co_filename
        for function in (_field, _set_field):
            function.__code__ = function.__code__.replace(co_filename=library)
        del np.record.__getattribute__
        np.record.__getattr__ = _field
        np.record.__setattr__ = _set_field


def _field(record, name):
    try:
        found = _GET(record, name)
    except (ValueError, KeyError, IndexError):
        raise AttributeError(f"'record' object has no attribute '{name}'") from None
    if isinstance(found, np.void) and found.dtype.names is not None:
        return found.view((type(record), found.dtype))
    return found


def _set_field(record, name, value):
    try:
        _SET(record, name, value)
    except (ValueError, KeyError, IndexError):
        _OWN_SET(record, name, value)  # which says what is wrong
