// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps link-time optimisation out of a wheel's library. The library contains lld, which can
// compile bitcode and therefore needs all of LLVM's passes and targets: 17 MB more in a wheel. We
// link only objects. The linker takes the definitions in this file instead of lld's own from the
// archives.

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

#include <memory>

// The targets in llvm/Config/Targets.def that we do not compile for.
#define WITHOUT_TARGET(T)                                                                          \
  extern "C" void LLVMInitialize##T##TargetInfo() {}                                               \
  extern "C" void LLVMInitialize##T##Target() {}                                                   \
  extern "C" void LLVMInitialize##T##TargetMC() {}                                                 \
  extern "C" void LLVMInitialize##T##AsmPrinter() {}                                               \
  extern "C" void LLVMInitialize##T##AsmParser() {}
WITHOUT_TARGET(AMDGPU)
WITHOUT_TARGET(ARM)
WITHOUT_TARGET(AVR)
WITHOUT_TARGET(BPF)
WITHOUT_TARGET(Hexagon)
WITHOUT_TARGET(Lanai)
WITHOUT_TARGET(LoongArch)
WITHOUT_TARGET(Mips)
WITHOUT_TARGET(MSP430)
WITHOUT_TARGET(PowerPC)
WITHOUT_TARGET(RISCV)
WITHOUT_TARGET(Sparc)
WITHOUT_TARGET(SPIRV)
WITHOUT_TARGET(SystemZ)
WITHOUT_TARGET(VE)
WITHOUT_TARGET(WebAssembly)
WITHOUT_TARGET(XCore)
WITHOUT_TARGET(M68k)
WITHOUT_TARGET(Xtensa)

// The members of lld's class (lld/ELF/LTO.h in LLVM 22).
namespace lld::elf {
struct Ctx;
class BitcodeFile;
class InputFile {};

class BitcodeCompiler {
public:
  BitcodeCompiler(Ctx &);
  ~BitcodeCompiler();
  void add(BitcodeFile &);
  /// lld calls this without bitcode, too. Empty vectors have the same layout for every inline size.
  llvm::SmallVector<std::unique_ptr<InputFile>, 0> compile();
};

BitcodeCompiler::BitcodeCompiler(Ctx &) {}
BitcodeCompiler::~BitcodeCompiler() = default;
void BitcodeCompiler::add(BitcodeFile &) { llvm_unreachable("kernels are linked from objects"); }
llvm::SmallVector<std::unique_ptr<InputFile>, 0> BitcodeCompiler::compile() { return {}; }
} // namespace lld::elf
