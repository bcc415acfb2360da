// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fragments of all mma.sync instructions follow one pattern. It has eight groups of four lanes,
// one group per row of A and C and per column of B. Along the other dimension, each lane of a group
// holds as many neighbours as fit into a 32-bit register, and the pattern repeats until the shape
// is covered.

#include "tilewright/layout/algebra/Fragments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace tilewright::layout {

namespace {

struct MmaShape {
  Mma mma;
  const char *name;
  int64_t m;
  int64_t k;
  int64_t packed; ///< elements of A and B per register
};

} // namespace

static constexpr MmaShape mmaShapes[] = {
    {Mma::M16N8K16_f16, "m16n8k16_f16", 16, 16, 2}, {Mma::M16N8K8_f16, "m16n8k8_f16", 16, 8, 2},
    {Mma::M16N8K8_tf32, "m16n8k8_tf32", 16, 8, 1},  {Mma::M16N8K4_tf32, "m16n8k4_tf32", 16, 4, 1},
    {Mma::M16N8K32_i8, "m16n8k32_i8", 16, 32, 4},   {Mma::M16N8K64_i4, "m16n8k64_i4", 16, 64, 8},
    {Mma::M8N8K4_f64, "m8n8k4_f64", 8, 4, 1},
};

static const MmaShape &shapeOf(Mma mma) {
  return *find_if(mmaShapes, [mma](const MmaShape &shape) { return shape.mma == mma; });
}

std::optional<Mma> mmaNamed(StringRef name) {
  for (const MmaShape &shape : mmaShapes)
    if (name == shape.name)
      return shape.mma;
  return std::nullopt;
}

std::string namesOfMma() {
  return join(map_range(mmaShapes, [](const MmaShape &shape) { return StringRef(shape.name); }),
              ", ");
}

std::array<int64_t, 3> shapeOfMma(Mma mma) {
  const MmaShape &shape = shapeOf(mma);
  return {shape.m, 8, shape.k};
}

/// Eight groups of lanes along one dimension, and the four lanes of each group along the other.
static Dim groups(int64_t extent) {
  return {.outers = extent / 8, .threads = 8, .threadStride = 4};
}
static Dim lanesOfGroup(int64_t extent, int64_t packed) {
  return {.outers = extent / (4 * packed), .threads = 4, .elements = packed, .threadStride = 1};
}

static Numbers inOrder(const Layout &layout) {
  Numbers order(layout.registers());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// The instructions number the repetitions of A along M fastest, then those along K; a layout
/// numbers its last dimension fastest.
static Numbers orderOfA(const Layout &layout) {
  const Dim &m = layout[0], &k = layout[1];
  Numbers order;
  for (int64_t outerM = 0; outerM < m.outers; ++outerM)
    for (int64_t outerK = 0; outerK < k.outers; ++outerK)
      for (int64_t element = 0; element < k.elements; ++element)
        order.push_back((outerK * m.outers + outerM) * k.elements + element);
  return order;
}

Fragment fragmentOfA(Mma mma) {
  const MmaShape &shape = shapeOf(mma);
  Layout layout{groups(shape.m), lanesOfGroup(shape.k, shape.packed)};
  return {layout, orderOfA(layout)};
}

Fragment fragmentOfB(Mma mma) {
  const MmaShape &shape = shapeOf(mma);
  Layout layout{lanesOfGroup(shape.k, shape.packed), groups(8)};
  return {layout, inOrder(layout)};
}

Fragment fragmentOfC(Mma mma) {
  Layout layout{groups(shapeOf(mma).m), lanesOfGroup(8, 2)};
  return {layout, inOrder(layout)};
}

// --- wgmma ----------------------------------------------------------------------------

/// One fragment of 16 rows per subgroup, with subgroups along M.
static Dim rowsOf(int64_t subgroups) {
  Dim dim = groups(16);
  dim.subgroups = subgroups;
  dim.subgroupStride = 1;
  return dim;
}

Result<Fragment> wgmmaAccumulator(int64_t n, int64_t groups) {
  if (n < 8 || n > 256 || n % 8 != 0)
    return Failure{"N of wgmma must be a multiple of 8 up to 256, but is " + std::to_string(n)};
  if (groups < 1)
    return Failure{"wgmma needs at least one group of four subgroups, not " +
                   std::to_string(groups)};
  Dim columns = lanesOfGroup(8, 2);
  columns.batches = n / 8;
  Layout layout{rowsOf(4 * groups), columns};
  return Fragment{layout, inOrder(layout)};
}

Fragment wgmmaOperandA() {
  Layout layout{rowsOf(4), lanesOfGroup(16, 2)};
  return {layout, orderOfA(layout)};
}

// --- ldmatrix -------------------------------------------------------------------------

LdMatrixLayouts layoutsOf(LdMatrix use) {
  // A lane addresses one row of an 8 x 8 matrix, which has 8 elements of 16 bits along one
  // dimension.
  const Dim row{.elements = 8}, rowOfHalf{.threads = 2, .elements = 8, .threadStride = 16};
  const Dim sixteen{.threads = 16, .threadStride = 1}, eight{.threads = 8, .threadStride = 1};
  Layout a = fragmentOfA(Mma::M16N8K16_f16).layout, b = fragmentOfB(Mma::M16N8K16_f16).layout;
  Dim twice = b[1];
  twice.batches = 2;
  switch (use) {
  case LdMatrix::A:
    return {Layout{sixteen, rowOfHalf}, a};
  case LdMatrix::B:
    return {Layout{sixteen, row}, b};
  case LdMatrix::TwoB:
    return {Layout{sixteen, rowOfHalf}, Layout{b[0], twice}};
  case LdMatrix::BFromNK:
    return {Layout{{.threads = 2, .elements = 8, .threadStride = 8}, eight}, b};
  case LdMatrix::TwoBFromNK:
    return {Layout{{.threads = 2, .elements = 8, .threadStride = 8},
                   {.threads = 2, .threadStride = 16},
                   eight},
            Layout{b[0], {.batches = 2}, b[1]}};
  case LdMatrix::KMajorTwoB: {
    // The halves of K become batches, which a layout numbers before the batches of N.
    Dim halves = b[0];
    std::swap(halves.batches, halves.outers);
    return {Layout{rowOfHalf, sixteen}, Layout{halves, twice}};
  }
  }
  llvm_unreachable("a member of LdMatrix");
}

// --- Lookup by name -------------------------------------------------------------------

static std::optional<LdMatrix> ldMatrixNamed(StringRef name) {
  return StringSwitch<std::optional<LdMatrix>>(name)
      .Case("A", LdMatrix::A)
      .Case("B", LdMatrix::B)
      .Case("TwoB", LdMatrix::TwoB)
      .Case("BFromNK", LdMatrix::BFromNK)
      .Case("TwoBFromNK", LdMatrix::TwoBFromNK)
      .Case("KMajorTwoB", LdMatrix::KMajorTwoB)
      .Default(std::nullopt);
}

static Result<Layout> wgmmaNamed(StringRef operand) {
  int64_t n;
  if (operand == "A")
    return wgmmaOperandA().layout;
  if (!operand.consume_front("m64n") || operand.getAsInteger(10, n))
    return Failure{"wgmma has the operand A and accumulators such as m64n128"};
  Result<Fragment> accumulator = wgmmaAccumulator(n);
  return accumulator ? Result<Layout>(accumulator->layout) : accumulator.failure();
}

Result<Layout> fragmentNamed(StringRef name) {
  auto [instruction, operand] = name.split('.');
  if (instruction == "wgmma")
    return wgmmaNamed(operand);
  if (std::optional<Mma> mma = mmaNamed(instruction)) {
    if (operand == "A")
      return fragmentOfA(*mma).layout;
    if (operand == "B")
      return fragmentOfB(*mma).layout;
    if (operand == "C")
      return fragmentOfC(*mma).layout;
  }
  auto [use, which] = operand.split('.');
  std::optional<LdMatrix> load = ldMatrixNamed(use);
  if (instruction == "ldmatrix" && load && (which == "addresses" || which == "result"))
    return which == "addresses" ? layoutsOf(*load).addresses : layoutsOf(*load).result;
  return Failure{formatv("'{0}' is no fragment; there are A, B and C of {1}, as in m16n8k16_f16.A, "
                         "wgmma.A, wgmma.m64n128, and ldmatrix.USE.addresses and .result with USE "
                         "one of A, B, TwoB, BFromNK, TwoBFromNK, KMajorTwoB",
                         name, namesOfMma())};
}

// --- Blocked --------------------------------------------------------------------------

/// Assigns as much of what is left to a dimension as fits.
static int64_t deal(int64_t &left, int64_t room) {
  int64_t share = std::min(left, room);
  left /= share;
  return share;
}

Layout blocked(ArrayRef<int64_t> shape, int64_t elementBits, int64_t subgroups,
               ArrayRef<unsigned> order, int64_t vectorBits) {
  constexpr int64_t lanes = 32;
  assert(order.size() == shape.size() && "an order of all dimensions");
  SmallVector<Dim, 4> dims(shape.size());
  if (!shape.empty()) {
    int64_t all = llvm::product_of(shape);
    int64_t fair = std::max(int64_t(1), all / (subgroups * lanes));
    dims[order[0]].elements = std::min({vectorBits / elementBits, shape[order[0]], fair});
  }
  int64_t lanesLeft = lanes, subgroupsLeft = subgroups;
  for (unsigned dim : order) {
    dims[dim].threadStride = lanes / lanesLeft;
    dims[dim].threads = deal(lanesLeft, shape[dim] / dims[dim].elements);
  }
  for (unsigned dim : llvm::reverse(order)) {
    dims[dim].subgroupStride = subgroups / subgroupsLeft;
    dims[dim].subgroups = deal(subgroupsLeft, shape[dim] / dims[dim].extent());
    dims[dim].batches = shape[dim] / dims[dim].extent();
  }
  return Layout(dims);
}

} // namespace tilewright::layout
