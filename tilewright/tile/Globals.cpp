// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Globals.h.

#include "tilewright/tile/Globals.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/tile/attributes/Places.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using support::Failure;
using support::Result;

Result<uint64_t> tile::alignmentOf(GlobalOp global) {
  auto alignment = uint64_t(std::max<int64_t>(global.getAlignment(), 1));
  std::string what = locationText(global.getLoc()) + ": error: global @" +
                     global.getSymName().str() + ": alignment " + std::to_string(alignment);
  if (!llvm::isPowerOf2_64(alignment))
    return Failure{what + " must be a power of two"};
  if (alignment > largestGlobalAlignment)
    return Failure{what + " is not supported: at most " + std::to_string(largestGlobalAlignment)};
  return alignment;
}

std::string tile::storedBytes(GlobalOp global) {
  auto values = llvm::cast<mlir::DenseElementsAttr>(global.getValue());
  auto type = llvm::cast<TileType>(values.getType());
  numerics::Format format = *formatOf(type.getElementType());
  std::vector<uint8_t> bytes(numerics::storageBytes(format, type.getNumElements()));
  auto store = [&](int64_t i, const llvm::APInt &bits) {
    numerics::store(bytes.data(), i, numerics::Element::fromBits(format, bits.getZExtValue()));
  };
  if (numerics::info(format).isFloat())
    for (auto [i, value] : llvm::enumerate(values.getValues<llvm::APFloat>()))
      store(i, value.bitcastToAPInt());
  else
    for (auto [i, value] : llvm::enumerate(values.getValues<llvm::APInt>()))
      store(i, value);
  return {bytes.begin(), bytes.end()};
}
