// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which names do constants and assumptions get in printed text? Those that the public tools
// print (textual format, 12.2), so that listings can be compared. Names that do not depend on
// anything are with their operations, in ops/.

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
