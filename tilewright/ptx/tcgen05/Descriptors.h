// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of tcgen05.mma: the instruction descriptor, 32 bits with types and extents (PTX ISA,
// 9.7.16.4.2), and matrix descriptors of shared memory (9.7.16.4.1). As in CUTLASS
// (mma_sm100_desc.hpp).

#ifndef TILEWRIGHT_PTX_TCGEN05_DESCRIPTORS_H
#define TILEWRIGHT_PTX_TCGEN05_DESCRIPTORS_H

#include "tilewright/ptx/async/MatrixDescriptor.h"
#include "tilewright/ptx/text/Type.h"

#include <span>
#include <string>
#include <variant>

namespace tilewright::ptx {

enum class TensorKind : uint8_t { F16, TF32, F8F6F4, I8, MXF8F6F4, MXF4, MXF4NVF4 };

struct TensorKindInfo {
  std::string_view name; ///< `kind::f16`
  unsigned k;            ///< Number of products in a sum.
  bool isScaled;
};

std::span<const TensorKindInfo> tensorKinds();
inline const TensorKindInfo &infoOf(TensorKind kind) { return tensorKinds()[size_t(kind)]; }

struct InstructionDescriptor {
  Type d = Type::F32, a = Type::F16, b = Type::F16;
  unsigned m = 0, n = 0;
  bool saturates = false;
  unsigned maxShift = 0; ///< Of the columns of B, with .ws.
  unsigned selector = 0; ///< Of sparsity metadata.
  bool negatesA = false, negatesB = false, transposesA = false, transposesB = false;
  /// Block scaling: the type of the scales, and the first byte of those of A and B.
  Type scale = Type::UE8M0;
  unsigned scaleOfA = 0, scaleOfB = 0;
};

/// What the instruction specifies of a product: number of CTAs, and of scales in a row; .ws, .sp.
struct ProductForm {
  TensorKind kind;
  unsigned group, scales;
  bool isStationary, isSparse;
};

/// Decodes the descriptor, and checks it. Returns the error as a string.
std::variant<InstructionDescriptor, std::string>
decodeInstructionDescriptor(uint32_t bits, const ProductForm &form);

/// Decodes a matrix descriptor.
std::variant<MatrixDescriptor, std::string> decodeTensorMatrix(uint64_t bits);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_DESCRIPTORS_H
