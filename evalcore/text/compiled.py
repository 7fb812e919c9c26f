"""Functions compiled by Numba when they are first called.

Importing Numba takes a noticeable part of the program's start, and many
runs never need it: listing presets, tracing one text, the first page.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from threading import RLock
from typing import Any

_lock = RLock()


class Kernel:
    """A function for Numba, compiled (or read from the disk) at its first call; the GIL is released.

    >>> @kernel
    ... def double(value):
    ...     return 2 * value
    >>> double.py_func(4)
    8
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Give what Numba makes of the function.

        A kernel calls others by their names in its module, and Numba
        knows only its own dispatchers there: they take the place of the
        kernels in the module's names.
        """
        from numba import njit

        with _lock:
            if (made := self.__dict__.get("dispatcher")) is not None:
                return made
            made = self.__dict__["dispatcher"] = njit(cache=True, nogil=True)(self.py_func)
            names = self.py_func.__globals__
            for name, value in list(names.items()):
                if isinstance(value, Kernel):
                    names[name] = value.dispatcher
            return made


def kernel(function: Callable[..., Any]) -> Any:
    """Make a kernel of a function that Numba can compile."""
    return Kernel(function)
