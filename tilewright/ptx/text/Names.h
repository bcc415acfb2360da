// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demangles the names of C++ functions and variables for messages.

#ifndef TILEWRIGHT_PTX_TEXT_NAMES_H
#define TILEWRIGHT_PTX_TEXT_NAMES_H

#include <string>
#include <string_view>

namespace tilewright::ptx {

/// `k(int*)::tile` for `_ZZ1kPiE4tile`; other names are returned unchanged.
std::string demangled(std::string_view name);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TEXT_NAMES_H
