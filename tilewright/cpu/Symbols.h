// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is an entry called in an object? An entry may have any name, that of a function of the C
// library or of ours, or one that C cannot say. All symbols are therefore its name in C and an
// ending, and names that C cannot say, or that belong to the runtime, are spelled out. No two
// entries share a symbol, and none has that of another function.

#ifndef TILEWRIGHT_CPU_SYMBOLS_H
#define TILEWRIGHT_CPU_SYMBOLS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::cpu {

/// `k` for @k, if that is an identifier of C and not `tw` nor begins with `tw_`. All other names
/// get `tw_entry_` in front, `__` for `_`, and `_20` for a character that is neither a letter
/// nor a digit: its bytes, in hexadecimal digits.
std::string cName(llvm::StringRef entry);

/// The function of an entry, as runtime/Kernel.h has it.
inline std::string functionSymbol(llvm::StringRef entry) { return cName(entry) + "_entry"; }
/// The struct twKernel.
inline std::string tableSymbol(llvm::StringRef entry) { return cName(entry) + "_kernel"; }
/// The functions of C for the whole grid, and for some blocks.
inline std::string launchSymbol(llvm::StringRef entry) { return cName(entry) + "_launch"; }
inline std::string blocksSymbol(llvm::StringRef entry) { return cName(entry) + "_blocks"; }

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_SYMBOLS_H
