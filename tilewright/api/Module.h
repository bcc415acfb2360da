// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Module is a verified program, read from text or bytecode. It can be written in both forms, and
// its entries can be compiled.

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

/// Checks beyond those that a module passed when it was read.
struct VerifyOptions {
  /// Enforce the rules of the specification's prose that the public tools do not check.
  bool strict = false;
  /// Report features that this version cannot represent.
  std::optional<tile::Version> version = std::nullopt;
};

struct Code;
struct CodeOptions;

/// A verified program. It is immutable, and copies share it. Any thread may use it at any time;
/// calls that need its operations, such as writing and compiling, run one after the other.
///
/// A function with a parameter `Diagnostics *`, which may be null, overwrites it with everything
/// that it reports, including warnings. If it fails, the message of the failure is the same text,
/// without the final line break.
class Module {
public:
  /// Reads and verifies a program, as text or bytecode; the first bytes decide which. The bytes are
  /// copied. Diagnostics use `name` as the file name.
  static support::Result<Module> read(const Context &context, std::string_view bytes,
                                      std::string_view name, Diagnostics *diagnostics = nullptr);
  /// The same for a file; "-" is standard input. If the file cannot be read, there are no
  /// diagnostics, and the failure says why.
  static support::Result<Module> readFile(const Context &context, const std::string &path,
                                          Diagnostics *diagnostics = nullptr);

  const std::string &name() const;
  /// The version of the bytecode that the module was read from; none for text.
  std::optional<tile::Version> fileVersion() const;
  /// The oldest version that can represent the module.
  tile::Version lowestVersion() const;

  /// The entries, in the order of the text.
  std::vector<Entry> entries() const;
  /// The entry with this name, `k` or `@k`; if the name is empty, the only entry. The failure lists
  /// the existing entries.
  support::Result<Entry> entry(std::string_view name) const;

  support::Result<void> verify(const VerifyOptions &options,
                               Diagnostics *diagnostics = nullptr) const;
  /// Text that `read` accepts.
  std::string text(TextForm form = {}) const;
  /// Bytecode of this version; by default the version that the module was read from, or the oldest
  /// possible.
  support::Result<std::string> bytecode(std::optional<tile::Version> version = std::nullopt,
                                        Diagnostics *diagnostics = nullptr) const;

private:
  friend support::Result<Code> compileTo(const Module &module, const CodeOptions &options);
  explicit Module(std::shared_ptr<ModuleState> state) : state(std::move(state)) {}

  std::shared_ptr<ModuleState> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_MODULE_H
