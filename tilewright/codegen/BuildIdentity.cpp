// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies the build of the compiler by the build ids (hashes that linkers write) of the file
// that contains this function, of libMLIR and of libLLVM. For a file without a build id, its size
// and modification time are used.

#include "tilewright/codegen/Cache.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

using namespace tilewright;

namespace {
struct Search {
  uintptr_t address;
  std::string identity;
};
} // namespace

static bool holds(const dl_phdr_info &object, uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && begin <= address && address < begin + segment.p_memsz)
      return true;
  }
  return false;
}

/// Finds the build id among the notes in a segment; empty if there is none.
static std::string buildIdIn(const uint8_t *notes, size_t size) {
  auto padded = [](size_t bytes) { return (bytes + 3) & ~size_t(3); };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const uint8_t *name = notes + sizeof note, *id = name + padded(note.n_namesz);
    size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !std::memcmp(name, "GNU", 4))
      return llvm::toHex(llvm::ArrayRef(id, note.n_descsz), /*LowerCase=*/true);
    if (whole >= size)
      break;
    notes += whole;
    size -= whole;
  }
  return "";
}

static std::string buildIdOf(const dl_phdr_info &object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *notes = reinterpret_cast<const uint8_t *>(object.dlpi_addr + segment.p_vaddr);
    if (std::string id = buildIdIn(notes, segment.p_memsz); !id.empty())
      return id;
  }
  return "";
}

static std::string fileFactsOf(const char *path) {
  struct stat facts{};
  if (::stat(*path ? path : "/proc/self/exe", &facts) != 0)
    return "";
  return std::to_string(facts.st_size) + " bytes of " + std::to_string(facts.st_mtim.tv_sec) + "." +
         std::to_string(facts.st_mtim.tv_nsec);
}

static int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!holds(*object, search.address))
    return 0;
  search.identity = buildIdOf(*object);
  if (search.identity.empty())
    search.identity = fileFactsOf(object->dlpi_name);
  return 1;
}

template <typename Function> static std::string identityOfObjectWith(Function *function) {
  Search search{reinterpret_cast<uintptr_t>(function), ""};
  dl_iterate_phdr(&visit, &search);
  return search.identity;
}

const std::string &codegen::buildIdentity() {
  using OfMlir = void(mlir::MLIRContext &);
  static const std::string identity =
      identityOfObjectWith(&buildIdentity) + " " +
      identityOfObjectWith<OfMlir>(&mlir::registerBuiltinDialectTranslation) + " " +
      identityOfObjectWith(&llvm::sys::getProcessTriple);
  return identity;
}
