# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is public has a public name: in tracebacks, reprs, pickles and documentation."""

import sys

_PACKAGE = "tilewright"


def public(thing):
    """A decorator for a class or function that users find in `tilewright`, wherever it is defined."""
    thing.__module__ = _PACKAGE
    # Annotations of a class name others, which are looked up in its module.
    setattr(sys.modules[_PACKAGE], thing.__name__, thing)
    return thing
