// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread block clusters: a tile block may run as a cluster of two CTAs, so that accumulators fit in
// registers that are too many for one of them. The top bit of the thread number is the rank of the
// CTA: threads that hold tiles are numbered through, first those of CTA 0. So owners and replicated
// values are the same as for a CTA with all threads. Layouts differ in that each CTA has all of
// small tiles and of rhs, because what goes through shared memory must not cross that bit. Where
// tokens order accesses, consumers of both CTAs wait for each other at an mbarrier.
//
// The CTAs divide the rows of a product. On sm_90a, each may have a producer of its own, which
// copies the rows of lhs of its CTA, and half of rhs into the shared memory of both (multicast).
// Consumers of both CTAs release a stage to both producers.
//
// With `tcgen05.mma`, the CTAs are a pair (PTX ISA, 9.7.16.5): one instruction of the multiplier in
// CTA 0 reads 128 rows of lhs and half of the columns of rhs from the shared memory of each CTA,
// and adds to the accumulators of 128 rows in the tensor memory of each. The producers of both CTAs
// copy these parts, and their bytes arrive at the full barriers of CTA 0. Commits arrive at the
// barriers of both CTAs; consumers of both arrive at *ready* of CTA 0, and also at its full
// barriers if they write the scales of block-scaled products. Each CTA needs the scales of its rows
// of lhs and of all columns of rhs (TensorScales.h).

#ifndef TILEWRIGHT_NVIDIA_PLAN_CLUSTER_CLUSTER_H
#define TILEWRIGHT_NVIDIA_PLAN_CLUSTER_CLUSTER_H

#include "tilewright/nvidia/plan/SharedImage.h"
#include "tilewright/nvidia/plan/TileLayout.h"
#include "tilewright/tile/Ops.h"

#include <optional>
#include <string>

namespace tilewright::nvidia {

struct MatrixProduct;
struct Plan;

/// The CTAs of a cluster.
inline constexpr int64_t ctasOfCluster = 2;
/// A bit for each of them.
inline constexpr int64_t allCtasOfCluster = (int64_t(1) << ctasOfCluster) - 1;
/// The first PTX version in which a launch counts clusters.
inline constexpr unsigned clusterPtxVersion = 90;

/// The part of a tile that a CTA copies: all of it, or, in a cluster, that of its rank.
struct CopiedPart {
  enum Division : uint8_t {
    Rows,    ///< CTAs divide the rows of the tile's image.
    EachRow, ///< They divide each row.
    Nothing, ///< Each copies the whole tile.
  };
  SharedImage image; ///< Of the part.
  Division divides = Rows;
  /// The offset of a CTA's part from that of the previous rank, if both are in one image, which
  /// both CTAs have; 0 if each CTA has only its part.
  int64_t distance = 0;

  bool isMulticast() const { return distance != 0; }
};

/// A CTA's part of an operand that a producer copies. For `wgmma`, panels of rhs are divided, or
/// rows of its only one, unless it has fewer than 16; for `tcgen05.mma`, the columns of rhs.
CopiedPart partOfOperand(const MatrixProduct &product, bool isLhs, bool isAlongK);
/// The bit of the thread number that is the rank of the CTA.
Digit digitOfCta(int64_t threads);
/// The bit of the element number that is the rank of the CTA; none if each CTA has all elements.
std::optional<unsigned> bitOfCta(const TileLayout &layout);
/// Whether the CTAs of a cluster divide the tile by the slowest bit of the element number.
bool isDividedAmongCtas(const TileLayout &layout);
/// The layout from which threads write an operand of a product, or its scales, into shared memory
/// of their CTA. Elements that are rematerialized can be those that each CTA needs.
TileLayout layoutOfWritten(const Plan &plan, mlir::Value tile, bool isLhs);

/// Whether a hint asks for a cluster, or the accumulators of a product do not fit in registers of
/// one CTA, or a pair of CTAs can compute it by `tcgen05.mma`.
bool wantsCluster(const Plan &ofOneCta);
/// Why this plan for a cluster is not possible; empty if it is. On Blackwell, it must be a pair.
std::string problemOfCluster(const Plan &plan);
/// Why the CTAs of a cluster cannot run an entry by this plan, whatever it multiplies with.
std::string problemInCluster(const Plan &plan);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_CLUSTER_CLUSTER_H
