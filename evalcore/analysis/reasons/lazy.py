"""Attributes that are worked out when first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 - used as a decorator, beside property.
    """Work an attribute out once and keep it.

    Differs: functools.cached_property of Python 3.11 takes a lock at every
        first access, which costs more than most of these attributes.
    """

    def __init__(self, make: Callable[[Any], Value]) -> None:
        self.make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, holder: None, owner: type) -> "lazy[Value]": ...
    @overload
    def __get__(self, holder: object, owner: type) -> Value: ...
    def __get__(self, holder: object | None, owner: type) -> "lazy[Value] | Value":
        if holder is None:
            return self
        value = holder.__dict__[self.name] = self.make(holder)
        return value
