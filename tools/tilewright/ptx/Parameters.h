// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the `--arg` texts become the parameters of a PTX entry? PTX says how wide a parameter
// is, but not always what it means: a 64-bit one is a pointer if its argument is an array, and an
// untyped one a float if its argument has a point or an exponent. A parameter that is an array of
// bytes, a structure, takes an array of the same size, by its value; one that is a tensor map, or
// points to one, takes the description of one (TensorMapSpec.h).

#ifndef TILEWRIGHT_TOOLS_PTX_PARAMETERS_H
#define TILEWRIGHT_TOOLS_PTX_PARAMETERS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tools/tilewright/ptx/TensorMapSpec.h"
#include "tools/tilewright/run/Arguments.h"

namespace tilewright::tools {

class PtxParameters {
public:
  static support::Result<PtxParameters> bind(const ptx::Module &module, const ptx::Function &entry,
                                             llvm::ArrayRef<std::string> specs);

  /// Puts the arrays into memory; the bytes of the parameters.
  support::Result<std::vector<uint8_t>> load(ptx::Memory &memory);
  /// Takes what the kernel left in the arrays.
  void unload();
  support::Result<void> writeOutputs(llvm::raw_ostream &os) {
    return tools::writeOutputs(arguments, os);
  }

  const Arguments &bound() const { return arguments; }

private:
  ptx::Region &regionOf(size_t array, size_t parameter, ptx::Memory &memory);
  support::Result<ptx::TensorMapBytes> tensorMapOf(size_t parameter) const;
  PtxParameters(const ptx::Module &module, const ptx::Function &entry)
      : module(&module), entry(&entry) {}

  const ptx::Module *module;
  const ptx::Function *entry;
  Arguments arguments;
  /// By parameter.
  std::map<size_t, TensorMapSpec> tensorMaps;
  /// In the order of the arrays; none for a value.
  std::vector<ptx::Region *> regions;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PTX_PARAMETERS_H
