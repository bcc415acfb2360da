// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds `--arg` texts to the parameters of a PTX entry. PTX declares the size of a parameter, but
// not always its type, so the argument decides: a 64-bit parameter is a pointer if its argument is
// an array, and an untyped parameter is a float if its argument has a decimal point or an exponent.
// A parameter that is an array of bytes (a structure) takes an array of the same size by value; if
// it has the size and alignment of a pointer, other arrays and outputs are passed by address. A
// tensor map, or a pointer to one, takes a description (TensorMapSpec.h).

#ifndef TILEWRIGHT_TOOLS_PTX_PARAMETERS_H
#define TILEWRIGHT_TOOLS_PTX_PARAMETERS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tools/tilewright/ptx/TensorMapSpec.h"
#include "tools/tilewright/run/Arguments.h"

#include <set>

namespace tilewright::tools {

class PtxParameters {
public:
  static support::Result<PtxParameters> bind(const ptx::Module &module, const ptx::Function &entry,
                                             llvm::ArrayRef<std::string> specs);

  /// Copies the arrays into memory and returns the bytes of the parameters.
  support::Result<std::vector<uint8_t>> load(ptx::Memory &memory);
  /// Copies the arrays back after the launch.
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
  /// By parameter index.
  std::map<size_t, TensorMapSpec> tensorMaps;
  /// Indices of the parameters whose arrays are passed by value.
  std::set<size_t> byValue;
  /// Indexed like Arguments::arrays. Null for arrays that are passed by value.
  std::vector<ptx::Region *> regions;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PTX_PARAMETERS_H
