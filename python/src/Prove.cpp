// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves that accesses are in bounds for all launches: `tilewright.prove`.

#include "Cancellable.h"
#include "KernelObject.h"

using namespace tilewright;
using namespace tilewright::python;

using ProofHandle = std::unique_ptr<twProof, Destroyed<twProofDestroy>>;

nb::tuple python::prove(const twEntry *entry, const std::vector<std::string> &names,
                        bool proofOnly) {
  std::vector<const char *> known;
  for (const std::string &name : names)
    known.push_back(name.c_str());
  twProveOptions options = {};
  options.size = sizeof options;
  options.names = known.data();
  options.nameCount = known.size();
  options.proofOnly = proofOnly;
  twProof *created = nullptr;
  twDiagnostics *reported = nullptr;
  const twStatus status = cancellable([&](twCancellation *cancellation) {
    options.cancellation = cancellation;
    return twEntryProve(entry, &options, &created, &reported);
  });
  const ProofHandle proof(created);
  const DiagnosticsHandle diagnostics(reported);
  raiseSignals();
  report(status, diagnostics.get());
  return nb::make_tuple(nb::str(twProofJson(created)), nb::str(twProofText(created)));
}
