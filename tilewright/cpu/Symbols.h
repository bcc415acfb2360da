// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbol names of entries in an object. An entry may have any name, including that of a C
// library or runtime function, or one that is no C identifier. Symbols are therefore a C name and a
// suffix; names that are no C identifiers, or that are reserved for the runtime, are escaped.
// Symbols of different entries never collide with each other or with other functions.

#ifndef TILEWRIGHT_CPU_SYMBOLS_H
#define TILEWRIGHT_CPU_SYMBOLS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::cpu {

/// `k` for @k, if that is a C identifier, is not `tw`, and does not begin with `tw_`. All other
/// names are prefixed with `tw_entry_`; `_` becomes `__`, and each byte of a character that is
/// neither a letter nor a digit becomes `_` and its hexadecimal digits, as in `_20`.
std::string cName(llvm::StringRef entry);

/// The function of an entry (runtime/Kernel.h).
inline std::string functionSymbol(llvm::StringRef entry) { return cName(entry) + "_entry"; }
/// The struct twKernel.
inline std::string tableSymbol(llvm::StringRef entry) { return cName(entry) + "_kernel"; }
/// The C functions that launch the whole grid, and some blocks.
inline std::string launchSymbol(llvm::StringRef entry) { return cName(entry) + "_launch"; }
inline std::string blocksSymbol(llvm::StringRef entry) { return cName(entry) + "_blocks"; }

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_SYMBOLS_H
