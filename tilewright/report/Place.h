// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where is a finding, for a program that reads reports? At a line of a file, or, in bytecode
// without debug information, at a byte.

#ifndef TILEWRIGHT_REPORT_PLACE_H
#define TILEWRIGHT_REPORT_PLACE_H

#include "mlir/IR/Location.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace tilewright::report {

/// 0 and none stand for what is not known.
struct SourcePlace {
  std::string file;
  int64_t line = 0, column = 0;
  std::optional<int64_t> byte;
};

/// What a location says; `file` is the file that was run, for a location that names none.
SourcePlace placeOf(mlir::Location location, llvm::StringRef file);

llvm::json::Object toJson(const SourcePlace &place);

/// JSON holds text only: bytes that are no UTF-8 become U+FFFD.
std::string jsonText(llvm::StringRef bytes);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PLACE_H
