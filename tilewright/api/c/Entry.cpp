// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twEntry: a name and parameters. A module owns its entries.

#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;

size_t twModuleEntryCount(const twModule *module) { return module ? module->entries.size() : 0; }

const twEntry *twModuleEntry(const twModule *module, size_t index) {
  return index < twModuleEntryCount(module) ? &module->entries[index] : nullptr;
}

const twEntry *twModuleFindEntry(const twModule *module, const char *name) {
  if (!module || !name)
    return nullptr;
  llvm::StringRef wanted = name;
  wanted.consume_front("@");
  for (const twEntry &entry : module->entries)
    if (entry.entry.name() == wanted)
      return &entry;
  return nullptr;
}

const char *twEntryName(const twEntry *entry) {
  return entry ? entry->entry.name().c_str() : nullptr;
}

twStatus twEntryPlace(const twEntry *entry, twPlace *place) {
  if (!entry || !place)
    return TW_USAGE;
  *place = placeOf(entry->entry.place());
  return TW_SUCCESS;
}

size_t twEntryParameterCount(const twEntry *entry) {
  return entry ? entry->entry.parameters().size() : 0;
}

twStatus twEntryParameter(const twEntry *entry, size_t index, twParameter *parameter) {
  if (!parameter || index >= twEntryParameterCount(entry))
    return TW_USAGE;
  const api::Parameter &found = entry->entry.parameters()[index];
  return fillStruct(
      parameter, {0, found.isPointer, typeOf(found.format), found.type.c_str(), found.isWritten});
}
