// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TargetLookup.h.

#include "tilewright/codegen/TargetLookup.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace tilewright;
using codegen::Features;
using support::Failure;
using support::Result;

static void startX86() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}

static void startAArch64() {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

static void startNvptx() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

Result<const llvm::Target *> codegen::lookUp(const std::string &name) {
  static std::once_flag x86, aarch64, nvptx;
  llvm::Triple triple(name);
  if (triple.getArch() == llvm::Triple::x86_64)
    std::call_once(x86, startX86);
  else if (triple.getArch() == llvm::Triple::aarch64)
    std::call_once(aarch64, startAArch64);
  else if (triple.getArch() == llvm::Triple::nvptx64)
    std::call_once(nvptx, startNvptx);
  else
    return Failure{"codegen: no code is generated for '" + name + "'"};
  std::string error;
  if (const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error))
    return found;
  return Failure{"codegen: " + error};
}

Result<Features> codegen::featuresOf(const std::string &triple, const std::string &cpu,
                                     const std::string &features) {
  Result<const llvm::Target *> target = lookUp(triple);
  if (!target)
    return target.failure();
  return Features((*target)->createMCSubtargetInfo(llvm::Triple(triple), cpu, features));
}
