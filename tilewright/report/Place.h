// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of a finding in reports: a line of a file or, in bytecode without debug information,
// a byte offset.

#ifndef TILEWRIGHT_REPORT_PLACE_H
#define TILEWRIGHT_REPORT_PLACE_H

#include "mlir/IR/Location.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace tilewright::report {

/// 0 and none mean unknown.
struct SourcePlace {
  std::string file;
  int64_t line = 0, column = 0;
  std::optional<int64_t> byte;
};

/// The position of a location; `file` is the program's file, for locations without a file name.
SourcePlace placeOf(mlir::Location location, llvm::StringRef file);

llvm::json::Object toJson(const SourcePlace &place);

/// JSON contains only text: bytes that are not valid UTF-8 become U+FFFD.
std::string jsonText(llvm::StringRef bytes);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PLACE_H
