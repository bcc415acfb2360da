// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads JSON that comes from outside. LLVM's parser recurses for each bracket, so a text with
// millions of them would exhaust the stack.

#ifndef TILEWRIGHT_REPORT_JSON_H
#define TILEWRIGHT_REPORT_JSON_H

#include "tilewright/support/Result.h"
#include "llvm/Support/JSON.h"

namespace tilewright::report {

/// How deep the brackets of a JSON text may be nested.
inline constexpr size_t mostJsonLevels = 512;

/// Whether the brackets are nested deeper than that, outside of strings.
bool isTooDeepJson(llvm::StringRef text);

/// Fails if the text is not JSON, or is nested too deeply.
support::Result<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_JSON_H
