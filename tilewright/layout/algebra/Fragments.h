// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predefined layouts: the operand layouts of NVIDIA matrix instructions, and the blocked layout for
// all other operations (layouts, 4). A fragment is what one instruction takes from one subgroup of
// 32 threads (from four subgroups for wgmma); compose() distributes it over more subgroups and
// batches.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_FRAGMENTS_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_FRAGMENTS_H

#include "tilewright/layout/algebra/Layout.h"

#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace tilewright::layout {

/// A layout, and the order in which the instruction takes a thread's elements: register `r` of the
/// layout (distributedShape(), row-major) is element `order[r]` of the operand in the PTX
/// documentation.
struct Fragment {
  Layout layout;
  Numbers order;
};

// --- mma.sync (layouts, 4.4) ----------------------------------------------------------

/// The instructions, by shape and element type of A and B. f16 includes bf16, i8 all 8-bit formats,
/// and i4 all 4-bit formats.
enum class Mma {
  M16N8K16_f16,
  M16N8K8_f16,
  M16N8K8_tf32,
  M16N8K4_tf32,
  M16N8K32_i8,
  M16N8K64_i4,
  M8N8K4_f64,
};

/// Looks up an instruction by the name of its enumerator in lower case: `m16n8k16_f16`.
/// namesOfMma() lists all names for messages.
std::optional<Mma> mmaNamed(llvm::StringRef name);
std::string namesOfMma();
/// M, N and K.
std::array<int64_t, 3> shapeOfMma(Mma mma);

Fragment fragmentOfA(Mma mma); ///< over M and K
Fragment fragmentOfB(Mma mma); ///< over K and N
Fragment fragmentOfC(Mma mma); ///< over M and N: the accumulator and the result

// --- wgmma (layouts, 4.7) -------------------------------------------------------------

/// The accumulator of wgmma.m64nNk*, 64 x N per group of four subgroups; groups are adjacent along
/// M. N is a multiple of 8 up to 256.
Result<Fragment> wgmmaAccumulator(int64_t n, int64_t groups = 1);

/// Operand A of wgmma.m64nNk16 in f16 or bf16, if it is in registers.
Fragment wgmmaOperandA();

// --- ldmatrix (layouts, 4.6) ----------------------------------------------------------

/// Uses of ldmatrix: the operand of m16n8k16, and its layout in shared memory.
enum class LdMatrix {
  A,          ///< 16 x 16 of M x K in rows: .x4
  B,          ///< 16 x 8 of K x N in rows: .x2.trans
  TwoB,       ///< 16 x 16 of K x N in rows, two operands: .x4.trans
  BFromNK,    ///< 16 x 8 of K x N, stored N x K: .x2
  TwoBFromNK, ///< the same for two operands, as 16 x 2 x 8 with operands in the middle: .x4
  KMajorTwoB, ///< the same as 16 x 16, registers in the order (half of K, operand): .x4
};

/// ldmatrix as a layout conversion. In `addresses`, each lane owns the 16-byte row whose address it
/// supplies; in `result`, each lane owns the elements that it receives, register by register.
struct LdMatrixLayouts {
  Layout addresses;
  Layout result;
};

LdMatrixLayouts layoutsOf(LdMatrix use);

/// Looks up any of the above by name: an operand of mma.sync (`m16n8k16_f16.A`, `.B`, `.C`), of
/// wgmma (`wgmma.A`, or the accumulator `wgmma.m64n128`), or of ldmatrix
/// (`ldmatrix.TwoB.addresses`, `.result`). Fails for other names with a list of the valid ones.
Result<Layout> fragmentNamed(llvm::StringRef name);

// --- Blocked layout (layouts, 4.1) ----------------------------------------------------

/// The layout for loads, stores and elementwise chains: lanes are along the contiguous dimension of
/// memory, so that accesses are coalesced, subgroups along the slowest dimension, and accesses are
/// `vectorBits` wide. `order` lists the dimensions from the fastest in memory to the slowest. All
/// numbers are powers of two.
Layout blocked(llvm::ArrayRef<int64_t> shape, int64_t elementBits, int64_t subgroups,
               llvm::ArrayRef<unsigned> order, int64_t vectorBits = 128);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_FRAGMENTS_H
