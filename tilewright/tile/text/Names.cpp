// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of constants and assumptions in printed text. They are those of the public tools
// (textual format, 12.2), so that listings can be compared. Fixed names are defined beside their
// operations, in ops/.

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/text/Literal.h"

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
    APFloat number = numberIn(elementType, value.getSplatValue<APFloat>());
    APSInt integer(64, /*isUnsigned=*/true);
    bool exact = false;
    if (number.isNaN())
      os << "NaN_";
    else if (!number.isNegative() &&
             number.convertToInteger(integer, APFloat::rmTowardZero, &exact) == APFloat::opOK &&
             exact)
      os << integer << "_";
  }
  os << numerics::info(*formatOf(elementType)).spelling;
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

//===-- assume: the name of its operand ---------------------------------------------------===//

/// Names contain the whole chain, so long chains would make the text quadratic. The public tools do
/// not stop here.
static constexpr unsigned maxNamedAssumes = 16;

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  // Finds the operation at the start of the chain, which may be a cycle in a module body.
  std::string name = "assume";
  Value operand = getValue();
  for (unsigned length = 1; length < maxNamedAssumes; ++length) {
    auto inner = operand.getDefiningOp<AssumeOp>();
    if (!inner)
      break;
    name += "_assume";
    operand = inner.getValue();
  }
  // Operations that do not implement the interface suggest no name.
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
