// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a program? A Module: read from text or bytecode and verified, it can be written in both
// forms, and its entries can be compiled.

#ifndef TILEWRIGHT_API_MODULE_H
#define TILEWRIGHT_API_MODULE_H

#include "tilewright/api/Context.h"
#include "tilewright/api/Diagnostic.h"
#include "tilewright/api/Entry.h"
#include "tilewright/api/TextForm.h"
#include "tilewright/support/Result.h"
#include "tilewright/tile/table/OpTable.h"

#include <string_view>

namespace tilewright::api {

/// What a module is verified against, beyond the rules that it kept when it was read.
struct VerifyOptions {
  /// The rules that only the prose of the specification states.
  bool strict = false;
  /// Report what this version cannot express.
  std::optional<tile::Version> version = std::nullopt;
};

struct Code;
struct CodeOptions;

/// A verified program, which never changes. Copies share it. Any thread may use it at any time;
/// calls that need its operations, as writing and compiling, run one after the other.
///
/// A function with a parameter `Diagnostics *`, which may be null, replaces what it points to by
/// all that it reports, warnings included. The message of its failure is the text of the same,
/// without a line break at its end.
class Module {
public:
  /// Reads and verifies a program, text or bytecode: its first byte says which. The bytes are
  /// copied. Diagnostics call the program `name`.
  static support::Result<Module> read(const Context &context, std::string_view bytes,
                                      std::string_view name, Diagnostics *diagnostics = nullptr);
  /// The same for a file; "-" is standard input. Where the file cannot be read, there are no
  /// diagnostics, and the failure says why.
  static support::Result<Module> readFile(const Context &context, const std::string &path,
                                          Diagnostics *diagnostics = nullptr);

  const std::string &name() const;
  /// As bytecode states it; text states none.
  std::optional<tile::Version> fileVersion() const;
  /// The oldest version that can hold the module.
  tile::Version lowestVersion() const;

  /// In the order of the text.
  std::vector<Entry> entries() const;
  /// By its name, `k` or `@k`. The failure lists what there is. The empty name is that of the
  /// only entry.
  support::Result<Entry> entry(std::string_view name) const;

  support::Result<void> verify(const VerifyOptions &options,
                               Diagnostics *diagnostics = nullptr) const;
  /// Text that `read` reads.
  std::string text(TextForm form = {}) const;
  /// Bytecode of this version; without one, of the version that the file has, or the lowest.
  support::Result<std::string> bytecode(std::optional<tile::Version> version = std::nullopt,
                                        Diagnostics *diagnostics = nullptr) const;

private:
  friend support::Result<Code> compileTo(const Module &module, const CodeOptions &options);
  explicit Module(std::shared_ptr<ModuleState> state) : state(std::move(state)) {}

  std::shared_ptr<ModuleState> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_MODULE_H
