"""Where numpy's arrays keep their data in memory, which machine code reads without asking Python.

numpy's binary interface fixes these places behind the header of a Python object.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

import numpy as np

#: Bytes from the start of an array object, on machines with words of 64 bits, to its type, the address of
#: its numbers, how many axes it has, the addresses of its shape and strides, and the type of its numbers.
KIND, DATA, NDIM, SHAPE, STRIDES, DESCR = 8, 16, 24, 32, 40, 56


@cache
def is_known() -> bool:
    """Whether arrays are laid out so here, and one thread at a time runs Python.

    >>> is_known() in (True, False)
    True
    """
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8 or object.__basicsize__ != DATA:
        return False
    if np.ndarray.__basicsize__ < DESCR + 8:
        return False
    array = np.zeros((5, 7))[1:, ::3]
    words = {
        at: ctypes.c_uint64.from_address(id(array) + at).value for at in (KIND, DATA, SHAPE, STRIDES, DESCR)
    }
    ndim = ctypes.c_int.from_address(id(array) + NDIM).value
    if (words[KIND], words[DATA], words[DESCR], ndim) != (
        id(np.ndarray),
        array.ctypes.data,
        id(array.dtype),
        array.ndim,
    ):
        return False
    pair = ctypes.c_int64 * 2
    # a word that does not hold an address would be found by the three that were compared before
    shape, strides = (tuple(pair.from_address(words[at])) for at in (SHAPE, STRIDES))
    return (shape, strides) == (array.shape, array.strides)
