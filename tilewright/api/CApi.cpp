// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tilewright.h. Each module has its own Loader, and so its own MLIR context: contexts
// never give back what they remember of a module, and a process may read many.

#include "tilewright/api/Assemble.h"
#include "tilewright/api/Load.h"
#include "tilewright/api/Print.h"
#include "tilewright/api/Tilewright.h"
#include "tilewright/bytecode/Writer.h"

#include "llvm/Support/MemAlloc.h"
#include <cstdlib>

using namespace tilewright;

struct twContext {
  api::LoadOptions load;
};

struct twModule {
  explicit twModule(const api::LoadOptions &options) : loader(options, diagnostics) {}

  /// What the loader has said since it was last asked.
  std::string said;
  llvm::raw_string_ostream diagnostics{said};
  api::Loader loader;
  mlir::OwningOpRef<mlir::ModuleOp> file;
  tile::ModuleOp module;
};

//===-- What goes out -----------------------------------------------------------------------===//

/// A copy that twFree releases, with a 0 byte behind it.
static char *copyOf(llvm::StringRef bytes) {
  char *copy = static_cast<char *>(llvm::safe_malloc(bytes.size() + 1));
  *std::copy(bytes.begin(), bytes.end(), copy) = 0;
  return copy;
}

/// Hands out what was said, if the caller wants it.
static void tell(llvm::StringRef said, char **diagnostics) {
  if (diagnostics)
    *diagnostics = said.empty() ? nullptr : copyOf(said);
}

static twStatus wrongUsage(const char *what, char **diagnostics) {
  tell(std::string(what) + "\n", diagnostics);
  return TW_USAGE;
}

static twVersion packed(tile::Version version) { return TW_VERSION(version.major, version.minor); }

void twFree(void *memory) { std::free(memory); }

//===-- Context -----------------------------------------------------------------------------===//

twContext *twContextCreate(void) { return new twContext; }

void twContextDestroy(twContext *context) { delete context; }

void twContextSetStrict(twContext *context, int strict) {
  if (context)
    context->load.strict = strict != 0;
}

//===-- Module ------------------------------------------------------------------------------===//

twStatus twModuleRead(const twContext *context, const void *bytes, size_t size, const char *name,
                      twModule **module, char **diagnostics) {
  if (module)
    *module = nullptr;
  if (!context)
    return wrongUsage("twModuleRead: the context is null", diagnostics);
  if (!bytes && size)
    return wrongUsage("twModuleRead: the bytes are null", diagnostics);
  if (!module)
    return wrongUsage("twModuleRead: there is no place for the module", diagnostics);

  auto loaded = std::make_unique<twModule>(context->load);
  llvm::StringRef file(static_cast<const char *>(bytes), size);
  loaded->file = loaded->loader.loadMemory(file, name ? name : "<memory>");
  if (loaded->file)
    loaded->module = api::theModule(loaded->loader, *loaded->file);
  tell(loaded->said, diagnostics);
  if (!loaded->module)
    return TW_INVALID;
  *module = loaded.release();
  return TW_SUCCESS;
}

void twModuleDestroy(twModule *module) { delete module; }

twVersion twModuleFileVersion(const twModule *module) {
  std::optional<tile::Version> version = module ? module->loader.version() : std::nullopt;
  return version ? packed(*version) : 0;
}

twVersion twModuleLowestVersion(const twModule *module) {
  return module ? packed(bytecode::lowestVersion(module->module)) : 0;
}

twStatus twModuleToText(const twModule *module, unsigned flags, char **text, char **diagnostics) {
  if (text)
    *text = nullptr;
  if (!module)
    return wrongUsage("twModuleToText: the module is null", diagnostics);
  if (!text)
    return wrongUsage("twModuleToText: there is no place for the text", diagnostics);
  if (flags & ~unsigned(TW_TEXT_GENERIC | TW_TEXT_LOCATIONS))
    return wrongUsage("twModuleToText: flags may be TW_TEXT_GENERIC and TW_TEXT_LOCATIONS",
                      diagnostics);

  mlir::ModuleOp file = *module->file;
  *text = copyOf(api::toText(file, {.generic = (flags & TW_TEXT_GENERIC) != 0,
                                    .locations = (flags & TW_TEXT_LOCATIONS) != 0}));
  tell("", diagnostics);
  return TW_SUCCESS;
}

/// None if there is no such version.
static std::optional<tile::Version> versionToWrite(const twModule &module, twVersion version) {
  if (version == TW_VERSION_LOWEST)
    return bytecode::lowestVersion(module.module);
  for (uint8_t minor = tile::oldestVersion.minor; minor <= tile::newestVersion.minor; ++minor)
    if (tile::Version known{tile::oldestVersion.major, minor}; packed(known) == version)
      return known;
  return std::nullopt;
}

twStatus twModuleToBytecode(twModule *module, twVersion version, uint8_t **bytes, size_t *size,
                            char **diagnostics) {
  if (bytes)
    *bytes = nullptr;
  if (size)
    *size = 0;
  if (!module)
    return wrongUsage("twModuleToBytecode: the module is null", diagnostics);
  if (!bytes || !size)
    return wrongUsage("twModuleToBytecode: there is no place for the bytes and their number",
                      diagnostics);
  std::optional<tile::Version> target = versionToWrite(*module, version);
  if (!target)
    return wrongUsage("twModuleToBytecode: the version is none of 13.1, 13.2 and 13.3",
                      diagnostics);

  module->said.clear();
  llvm::SmallString<0> file;
  bool written = succeeded(api::assemble(module->loader, *module->file, target, file));
  tell(module->said, diagnostics);
  if (!written)
    return TW_INVALID;
  *bytes = reinterpret_cast<uint8_t *>(copyOf(file));
  *size = file.size();
  return TW_SUCCESS;
}
