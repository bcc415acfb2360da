// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks rules of the specification's prose that the verifier does not check, because it gives the
// same verdicts as the public tools. There is one check per row of the table in textual format,
// 11.1.

#include "tilewright/tile/Strict.h"
#include "tilewright/tile/Constants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {

/// Checks operations one after the other and counts the problems.
class StrictVerifier {
public:
  void verifyFile(mlir::ModuleOp file);
  bool clean() const { return problems == 0; }

private:
  void verify(Operation *op);
  void verify(tile::ModuleOp module);
  void verify(EntryOp entry);
  void verify(GlobalOp global);
  void verify(ExtractOp extract);
  void verify(LoadPtrOp load);
  void verifyYieldOf(Operation *aggregate);
  InFlightDiagnostic report(Operation *op) {
    ++problems;
    return op->emitOpError();
  }

  unsigned problems = 0;
};

} // namespace

void StrictVerifier::verifyFile(mlir::ModuleOp file) {
  if (!llvm::hasSingleElement(file.getOps()) || !isa<tile::ModuleOp>(*file.getOps().begin()))
    report(file) << "expects exactly one cuda_tile.module in the file";
  file.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) { verify(op); });
}

void StrictVerifier::verify(Operation *op) {
  if (!isa_and_present<TileDialect>(op->getDialect())) {
    report(op) << "is not an operation of cuda_tile";
    return;
  }
  // Globals and entries have symbols; a nested module is reported by its own rule.
  if (isa_and_present<tile::ModuleOp>(op->getParentOp()) && !isa<SymbolOpInterface>(op) &&
      !isa<tile::ModuleOp>(op))
    report(op) << "must not stand directly in a module: only globals and entries may";
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::ModuleOp, EntryOp, GlobalOp, ExtractOp, LoadPtrOp>(
          [&](auto concrete) { verify(concrete); })
      .Case<ReduceOp, ScanOp>([&](auto aggregate) { verifyYieldOf(aggregate); });
}

void StrictVerifier::verify(tile::ModuleOp module) {
  if (!isa_and_present<mlir::ModuleOp>(module->getParentOp()))
    report(module) << "must not be nested in another operation";
  if (module.getBody().empty() || module.getBody().front().empty())
    report(module) << "expects at least one global or entry";
}

void StrictVerifier::verify(EntryOp entry) {
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile || tile.getRank() != 0)
      report(entry) << "argument " << i << " must be a scalar tile of numbers or pointers, but is "
                    << type;
  }
}

void StrictVerifier::verify(GlobalOp global) {
  auto alignment = int64_t(global.getAlignment());
  if (alignment != 0 && (alignment < 0 || !llvm::isPowerOf2_64(alignment)))
    report(global) << "alignment must be 0 or a power of two, but is " << alignment;
}

void StrictVerifier::verify(ExtractOp extract) {
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    std::optional<int64_t> constant = constantInteger(index);
    if (!constant)
      continue;
    int64_t value = *constant;
    int64_t slices =
        extract.getSource().getType().getDimSize(dim) / extract.getType().getDimSize(dim);
    if (value < 0 || value >= slices)
      report(extract) << "index " << dim << " must be in [0, " << slices << "), but is " << value;
  }
}

void StrictVerifier::verify(LoadPtrOp load) {
  if (load.getPaddingValue() && !load.getMask())
    report(load) << "has a padding value but no mask";
}

void StrictVerifier::verifyYieldOf(Operation *aggregate) {
  Operation *yield = aggregate->getRegion(0).front().getTerminator();
  for (auto [i, type] : llvm::enumerate(yield->getOperandTypes()))
    if (cast<TileType>(type).getRank() != 0)
      report(yield) << "operand " << i << " must be a scalar, but is " << type;
}

LogicalResult tile::verifyStrictly(mlir::ModuleOp file) {
  StrictVerifier verifier;
  verifier.verifyFile(file);
  return success(verifier.clean());
}
