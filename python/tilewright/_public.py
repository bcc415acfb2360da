# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives public classes and functions their public name: in tracebacks, reprs, pickles and documentation."""

import sys

_PACKAGE = "tilewright"


def public(thing):
    """Decorates a class or function that is part of `tilewright`, wherever it is defined."""
    thing.__module__ = _PACKAGE
    # Annotations of a class may name other public classes, which are looked up in its module.
    setattr(sys.modules[_PACKAGE], thing.__name__, thing)
    return thing
