// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which names do values get in printed text? The names that the public tools print
// (textual format, 12.2), so that listings can be compared.

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- constant: its value --------------------------------------------------------------===//

static void nameInteger(raw_ostream &os, DenseElementsAttr value, Type elementType) {
  bool uniform = value.isSplat();
  if (elementType.isInteger(1)) {
    os << (!uniform ? "cst_i1" : value.getSplatValue<APInt>().getBoolValue() ? "true" : "false");
    return;
  }
  os << "cst_";
  if (uniform) {
    value.getSplatValue<APInt>().print(os, /*isSigned=*/true);
    os << "_";
  }
  os << elementType;
}

static void nameFloat(raw_ostream &os, DenseElementsAttr value, Type elementType) {
  os << "cst_";
  if (value.isSplat()) {
    APFloat number = value.getSplatValue<APFloat>();
    APSInt integer(64, /*isUnsigned=*/true);
    bool exact = false;
    if (number.isNaN())
      os << "NaN_";
    else if (!number.isNegative() &&
             number.convertToInteger(integer, APFloat::rmTowardZero, &exact) == APFloat::opOK &&
             exact)
      os << integer << "_";
  }
  os << elementType;
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  auto value = dyn_cast<DenseElementsAttr>(getValue());
  if (!value)
    return;
  SmallString<32> name;
  llvm::raw_svector_ostream os(name);
  Type elementType = value.getElementType();
  if (isa<FloatType>(elementType))
    nameFloat(os, value, elementType);
  else
    nameInteger(os, value, elementType);
  setName(getResult(), name);
}

//===-- assume: what its operand is called ------------------------------------------------===//

/// Names repeat the whole chain, so that long ones would make the text quadratic. Where
/// this stops a chain, the public tools go on.
static constexpr unsigned maxNamedAssumes = 16;

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  // The operation at the start of the chain; in a module body it may be a circle.
  std::string name = "assume";
  Value operand = getValue();
  for (unsigned length = 1; length < maxNamedAssumes; ++length) {
    auto inner = operand.getDefiningOp<AssumeOp>();
    if (!inner)
      break;
    name += "_assume";
    operand = inner.getValue();
  }
  // Operations without a hook of their own suggest nothing.
  auto namer = operand.getDefiningOp<OpAsmOpInterface>();
  if (!namer || isa<AssumeOp>(namer))
    return setName(getResult(), name);
  name += "_";
  namer.getAsmResultNames([&](Value value, StringRef suggested) {
    if (value == operand)
      name += suggested;
  });
  setName(getResult(), name);
}

//===-- Fixed names ------------------------------------------------------------------------===//

void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "bcast"); }

void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "reshape"); }

void MakeTensorViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "tview");
}

void MakePartitionViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pview");
}

void MakeStridedViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "sview");
}

void MakeGatherScatterViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "gsview");
}

void GetTileBlockIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBlockIdX(), "blockId_x");
  setName(getBlockIdY(), "blockId_y");
  setName(getBlockIdZ(), "blockId_z");
}

void GetNumTileBlocksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getGridSizeX(), "gridSize_x");
  setName(getGridSizeY(), "gridSize_y");
  setName(getGridSizeZ(), "gridSize_z");
}

void LoadPtrOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

void AtomicRMWOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

void AtomicCASOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

void LoadViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getTile(), "tile");
  setName(getResultToken(), "result_token");
}

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() != 0)
    setName(getResult(0), "for");
}

void ForOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [i, arg] : llvm::enumerate(region.getArguments()))
    setName(arg, i == 0 ? "loopIdx" : "iterArg" + std::to_string(i - 1));
}

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() != 0)
    setName(getResult(0), "reduce");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  bool several = region.getNumArguments() > 2;
  for (auto [i, arg] : llvm::enumerate(region.getArguments())) {
    std::string name = i % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
    setName(arg, several ? name + std::to_string(i / 2) : name);
  }
}

// These have a hook that names nothing; it shows in the name of an assume.
void IfOp::getAsmResultNames(OpAsmSetValueNameFn) {}
void LoopOp::getAsmResultNames(OpAsmSetValueNameFn) {}
void ScanOp::getAsmResultNames(OpAsmSetValueNameFn) {}
