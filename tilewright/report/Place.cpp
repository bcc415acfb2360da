// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Place.h.

#include "tilewright/report/Place.h"
#include "tilewright/tile/attributes/Places.h"

using namespace tilewright;
using namespace tilewright::report;
using llvm::StringRef;
namespace json = llvm::json;

SourcePlace report::placeOf(mlir::Location location, StringRef file) {
  if (std::optional<tile::SourcePosition> position = tile::sourcePosition(location))
    return {position->file.str(), position->line, position->column, std::nullopt};
  SourcePlace place;
  place.file = file.str();
  mlir::StringAttr mark = tile::markedPlace(location);
  StringRef inBytecode = mark ? mark.getValue() : "";
  uint64_t byte;
  if (inBytecode.consume_front("byte 0x") && !inBytecode.consumeInteger(16, byte))
    place.byte = byte;
  return place;
}

json::Object report::toJson(const SourcePlace &place) {
  json::Object object{{"file", jsonText(place.file)}};
  if (place.line) {
    object["line"] = place.line;
    object["column"] = place.column;
  } else if (place.byte) {
    object["byte"] = *place.byte;
  }
  return object;
}

std::string report::jsonText(StringRef bytes) {
  return json::isUTF8(bytes) ? bytes.str() : json::fixUTF8(bytes);
}
