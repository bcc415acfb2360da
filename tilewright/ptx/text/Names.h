// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are names of a PTX text shown? As the source has them: those of C++ are demangled.

#ifndef TILEWRIGHT_PTX_TEXT_NAMES_H
#define TILEWRIGHT_PTX_TEXT_NAMES_H

#include <string>
#include <string_view>

namespace tilewright::ptx {

/// `k(int*)::tile` for `_ZZ1kPiE4tile`; a name that is not mangled stays as it is.
std::string demangled(std::string_view name);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_NAMES_H
