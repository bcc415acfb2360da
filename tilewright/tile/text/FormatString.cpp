// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FormatString.h.

#include "tilewright/tile/text/FormatString.h"

using namespace llvm;
using namespace tilewright::tile;

std::optional<SmallVector<FormatPiece>> tilewright::tile::scanFormat(StringRef format) {
  SmallVector<FormatPiece> pieces;
  auto addText = [&](StringRef text) {
    if (!text.empty())
      pieces.push_back({text, /*isExpression=*/false});
  };
  while (!format.empty()) {
    size_t percent = format.find('%');
    addText(format.take_front(percent));
    if (percent == StringRef::npos)
      break;
    format = format.drop_front(percent);
    size_t end = format.find_first_of("diouxXeEfFgGaAcsSpn%", 1);
    if (end == StringRef::npos)
      return std::nullopt;
    if (end == 1 && format[1] == '%') {
      addText(format.take_front(1));
      format = format.drop_front(2);
      continue;
    }
    // A percent sign ends a longer expression and starts a new one.
    size_t length = format[end] == '%' ? end : end + 1;
    pieces.push_back({format.take_front(length), /*isExpression=*/true});
    format = format.drop_front(length);
  }
  return pieces;
}
