// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that have a name: how the matrix instructions of NVIDIA GPUs want their
// operands, and how a tile is best spread for everything else (layouts, 4). A fragment
// is what one instruction takes from one subgroup of 32 threads, for wgmma from four;
// compose() spreads it over more subgroups and batches.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_FRAGMENTS_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_FRAGMENTS_H

#include "tilewright/layout/algebra/Layout.h"

#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace tilewright::layout {

/// A layout, and where the instruction wants what a thread holds: register `r` of the
/// layout (distributedShape(), row-major) is element `order[r]` of the operand in the
/// order of the PTX documentation.
struct Fragment {
  Layout layout;
  Numbers order;
};

// --- mma.sync (layouts, 4.4) ----------------------------------------------------------

/// The instructions, by shape and element of A and B. f16 stands for bf16 too, i8 for all
/// formats of 8 bits, i4 for all of 4.
enum class Mma {
  M16N8K16_f16,
  M16N8K8_f16,
  M16N8K8_tf32,
  M16N8K4_tf32,
  M16N8K32_i8,
  M16N8K64_i4,
  M8N8K4_f64,
};

/// By the names of `Mma`, in lower case: `m16n8k16_f16`. As one list for messages.
std::optional<Mma> mmaNamed(llvm::StringRef name);
std::string namesOfMma();
/// M, N and K.
std::array<int64_t, 3> shapeOfMma(Mma mma);

Fragment fragmentOfA(Mma mma); ///< over M and K
Fragment fragmentOfB(Mma mma); ///< over K and N
Fragment fragmentOfC(Mma mma); ///< over M and N: the accumulator and the result

// --- wgmma (layouts, 4.7) -------------------------------------------------------------

/// The accumulator of wgmma.m64nNk*, 64 x N per group of four subgroups; groups follow
/// each other along M. N is a multiple of 8 up to 256.
Result<Fragment> wgmmaAccumulator(int64_t n, int64_t groups = 1);

/// Operand A of wgmma.m64nNk16 in f16 or bf16, when it comes from registers.
Fragment wgmmaOperandA();

// --- ldmatrix (layouts, 4.6) ----------------------------------------------------------

/// What ldmatrix is used for: the operand of m16n8k16 and how it lies in shared memory.
enum class LdMatrix {
  A,          ///< 16 x 16 of M x K in rows: .x4
  B,          ///< 16 x 8 of K x N in rows: .x2.trans
  TwoB,       ///< 16 x 16 of K x N in rows, two operands: .x4.trans
  BFromNK,    ///< 16 x 8 of K x N, stored N x K: .x2
  TwoBFromNK, ///< the same for two operands, as 16 x 2 x 8 with operands in the middle: .x4
  KMajorTwoB, ///< the same as 16 x 16, registers in the order (half of K, operand): .x4
};

/// ldmatrix as a change of layout. In `addresses` each lane owns the row of 16 bytes whose
/// address it gives; in `result` it owns what it receives, register by register.
struct LdMatrixLayouts {
  Layout addresses;
  Layout result;
};

LdMatrixLayouts layoutsOf(LdMatrix use);

/// Any of the above by its name: an operand of mma.sync (`m16n8k16_f16.A`, `.B`, `.C`), of wgmma
/// (`wgmma.A`, or the accumulator `wgmma.m64n128`), or ldmatrix (`ldmatrix.TwoB.addresses`,
/// `.result`). Refuses other names, and says which there are.
Result<Layout> fragmentNamed(llvm::StringRef name);

// --- Everything else (layouts, 4.1) ---------------------------------------------------

/// The layout for loads, stores and elementwise chains: lanes along the dimension that is
/// contiguous in memory, subgroups along the slowest, accesses as wide as `vectorBits`.
/// `order` names the dimensions from the fastest in memory to the slowest. All numbers are
/// powers of two.
Layout blocked(llvm::ArrayRef<int64_t> shape, int64_t elementBits, int64_t subgroups,
               llvm::ArrayRef<unsigned> order, int64_t vectorBits = 128);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_FRAGMENTS_H
