// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twModule: a verified program, read from memory or from a file.

#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Result;

/// Passes a module that was read to the caller.
static void give(api::Module read, twModule **module) {
  auto made = std::make_unique<twModule>(twModule{std::move(read), {}});
  for (api::Entry &entry : made->module.entries())
    made->entries.push_back({std::move(entry)});
  *module = made.release();
}

twStatus twModuleRead(const twContext *context, const void *bytes, size_t size, const char *name,
                      twModule **module, twDiagnostics **diagnostics) {
  if (module)
    *module = nullptr;
  if (!context)
    return wrongUsage("twModuleRead: the context is null", diagnostics);
  if (!bytes && size)
    return wrongUsage("twModuleRead: the bytes are null", diagnostics);
  if (!module)
    return wrongUsage("twModuleRead: there is no place for the module", diagnostics);
  api::Diagnostics all;
  Result<api::Module> read = api::Module::read(
      context->settings, {static_cast<const char *>(bytes), size}, name ? name : "<memory>", &all);
  report(std::move(all), diagnostics);
  if (!read)
    return TW_INVALID;
  give(std::move(*read), module);
  return TW_SUCCESS;
}

twStatus twModuleReadFile(const twContext *context, const char *path, twModule **module,
                          twDiagnostics **diagnostics) {
  if (module)
    *module = nullptr;
  if (!context)
    return wrongUsage("twModuleReadFile: the context is null", diagnostics);
  if (!path)
    return wrongUsage("twModuleReadFile: the path is null", diagnostics);
  if (!module)
    return wrongUsage("twModuleReadFile: there is no place for the module", diagnostics);
  api::Diagnostics all;
  Result<api::Module> read = api::Module::readFile(context->settings, path, &all);
  if (!read && all.list.empty())
    return fail(TW_FILE, read.failure().message, diagnostics);
  report(std::move(all), diagnostics);
  if (!read)
    return TW_INVALID;
  give(std::move(*read), module);
  return TW_SUCCESS;
}

void twModuleDestroy(twModule *module) { delete module; }

twVersion twModuleFileVersion(const twModule *module) {
  std::optional<tile::Version> version = module ? module->module.fileVersion() : std::nullopt;
  return version ? packed(*version) : 0;
}

twVersion twModuleLowestVersion(const twModule *module) {
  return module ? packed(module->module.lowestVersion()) : 0;
}

twStatus twModuleVerify(const twModule *module, unsigned flags, twVersion version,
                        twDiagnostics **diagnostics) {
  if (!module)
    return wrongUsage("twModuleVerify: the module is null", diagnostics);
  if (flags & ~unsigned(TW_VERIFY_STRICT))
    return wrongUsage("twModuleVerify: the only flag is TW_VERIFY_STRICT", diagnostics);
  api::VerifyOptions options;
  options.strict = flags & TW_VERIFY_STRICT;
  options.version = unpacked(version);
  if (version && !options.version)
    return wrongUsage(std::string("twModuleVerify: ") + noSuchVersion, diagnostics);
  api::Diagnostics all;
  Result<void> verified = module->module.verify(options, &all);
  report(std::move(all), diagnostics);
  return verified ? TW_SUCCESS : TW_INVALID;
}

twStatus twModuleToText(const twModule *module, unsigned flags, char **text,
                        twDiagnostics **diagnostics) {
  if (text)
    *text = nullptr;
  if (!module)
    return wrongUsage("twModuleToText: the module is null", diagnostics);
  if (!text)
    return wrongUsage("twModuleToText: there is no place for the text", diagnostics);
  if (flags & ~unsigned(TW_TEXT_GENERIC | TW_TEXT_LOCATIONS))
    return wrongUsage("twModuleToText: flags may be TW_TEXT_GENERIC and TW_TEXT_LOCATIONS",
                      diagnostics);
  *text = copyOf(module->module.text(
      {.generic = (flags & TW_TEXT_GENERIC) != 0, .locations = (flags & TW_TEXT_LOCATIONS) != 0}));
  report({}, diagnostics);
  return TW_SUCCESS;
}

twStatus twModuleToBytecode(const twModule *module, twVersion version, uint8_t **bytes,
                            size_t *size, twDiagnostics **diagnostics) {
  if (bytes)
    *bytes = nullptr;
  if (size)
    *size = 0;
  if (!module)
    return wrongUsage("twModuleToBytecode: the module is null", diagnostics);
  if (!bytes || !size)
    return wrongUsage("twModuleToBytecode: there is no place for the bytes and their number",
                      diagnostics);
  std::optional<tile::Version> target =
      version == TW_VERSION_LOWEST ? module->module.lowestVersion() : unpacked(version);
  if (!target)
    return wrongUsage(std::string("twModuleToBytecode: ") + noSuchVersion, diagnostics);
  api::Diagnostics all;
  Result<std::string> file = module->module.bytecode(*target, &all);
  report(std::move(all), diagnostics);
  if (!file)
    return TW_INVALID;
  *bytes = reinterpret_cast<uint8_t *>(copyOf(*file));
  *size = file->size();
  return TW_SUCCESS;
}
