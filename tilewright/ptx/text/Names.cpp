// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Names.h.

#include "tilewright/ptx/text/Names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

using namespace tilewright::ptx;

std::string tilewright::ptx::demangled(std::string_view name) {
  const std::string symbol(name);
  if (!name.starts_with("_Z")) // the demangler also accepts types: it turns `i` into int
    return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : symbol;
}
