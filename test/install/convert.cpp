// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C API from C++, as it is installed: text to bytecode and back, and a program that is refused.

#include "tilewright/api/Tilewright.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {
struct Free {
  void operator()(twContext *context) const { twContextDestroy(context); }
  void operator()(twModule *module) const { twModuleDestroy(module); }
  void operator()(twDiagnostics *diagnostics) const { twDiagnosticsDestroy(diagnostics); }
};
using Diagnostics = std::unique_ptr<twDiagnostics, Free>;
using Context = std::unique_ptr<twContext, Free>;
using Module = std::unique_ptr<twModule, Free>;
} // namespace

static void expect(bool holds, const std::string &what) {
  if (holds)
    return;
  std::fprintf(stderr, "convert: %s\n", what.c_str());
  std::exit(1);
}

static Module read(const Context &context, const std::string &program) {
  twModule *module = nullptr;
  twDiagnostics *diagnostics = nullptr;
  twStatus status =
      twModuleRead(context.get(), program.data(), program.size(), "k", &module, &diagnostics);
  Diagnostics why(diagnostics);
  expect(status == TW_SUCCESS, twDiagnosticsText(why.get()));
  return Module(module);
}

static std::string toBytecode(const Module &module) {
  uint8_t *bytes = nullptr;
  size_t size = 0;
  expect(twModuleToBytecode(module.get(), TW_VERSION_LOWEST, &bytes, &size, nullptr) == TW_SUCCESS,
         "the module does not become bytecode");
  std::string file(reinterpret_cast<char *>(bytes), size);
  twFree(bytes);
  return file;
}

static std::string toText(const Module &module) {
  char *text = nullptr;
  expect(twModuleToText(module.get(), 0, &text, nullptr) == TW_SUCCESS,
         "the module does not become text");
  std::string copy = text;
  twFree(text);
  return copy;
}

int main() {
  Context context(twContextCreate());
  Module module = read(context, "cuda_tile.module @m { entry @k() { return } }");
  Module again = read(context, toBytecode(module));
  expect(twModuleFileVersion(again.get()) == TW_VERSION(13, 1), "the lowest version is not 13.1");
  expect(toText(again).find("entry @k()") != std::string::npos, "the entry is lost in bytecode");

  std::string wrong = "cuda_tile.module @m { entry @k() { retrun } }";
  twModule *none = nullptr;
  twDiagnostics *diagnostics = nullptr;
  expect(twModuleRead(context.get(), wrong.data(), wrong.size(), "k", &none, &diagnostics) ==
             TW_INVALID,
         "a wrong program is accepted");
  Diagnostics why(diagnostics);
  std::printf("%s", twDiagnosticsText(why.get()));
}
