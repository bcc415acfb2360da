// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C API that Ctrl-C ends.

#ifndef TILEWRIGHT_PYTHON_CANCELLABLE_H
#define TILEWRIGHT_PYTHON_CANCELLABLE_H

#include "Native.h"

#include "tools/CancelOnInterrupt.h"

namespace tilewright::python {

using CancellationHandle = std::unique_ptr<twCancellation, Destroyed<twCancellationDestroy>>;

/// Python's handler of Ctrl-C raises.
inline void raiseSignals() {
  if (PyErr_CheckSignals())
    throw nb::python_error();
}

/// Runs `call` without the lock of the interpreter. Ctrl-C requests its cancellation; the caller
/// then takes what `call` created and calls `raiseSignals`.
template <typename Call> twStatus cancellable(const Call &call) {
  const CancellationHandle cancellation(twCancellationCreate());
  const tools::CancelOnInterrupt cancelled(
      [](void *asked) { twCancellationRequest(static_cast<twCancellation *>(asked)); },
      cancellation.get());
  // A signal that came before the cancelling handler was installed can still end it.
  raiseSignals();
  return unlocked([&] { return call(cancellation.get()); });
}

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_CANCELLABLE_H
