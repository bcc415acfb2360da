// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread block clusters: a tile block may run as a cluster of two CTAs, so that accumulators fit in
// registers that are too many for one of them. The top bit of the thread number is the rank of the
// CTA: threads that hold tiles are numbered through, first those of CTA 0. So layouts, owners and
// replicated values are the same as for a CTA with all threads. Only what goes through shared
// memory, or waits at a barrier of a CTA, must not cross that bit.
//
// The CTAs divide the rows of a product. Each has a producer of its own, which copies the rows of
// lhs of its CTA, and half of rhs into the shared memory of both (multicast). Consumers of both
// CTAs release a stage to both producers.

#ifndef TILEWRIGHT_NVIDIA_PLAN_CLUSTER_H
#define TILEWRIGHT_NVIDIA_PLAN_CLUSTER_H

#include "tilewright/nvidia/plan/SharedImage.h"

#include <string>

namespace tilewright::nvidia {

struct MatrixProduct;
struct Plan;
class TileLayout;

/// The CTAs of a cluster.
inline constexpr int64_t ctasOfCluster = 2;
/// The first PTX version in which a launch counts clusters.
inline constexpr unsigned clusterPtxVersion = 90;

/// The part of a tile that a CTA copies: all of it, or, in a cluster, that of its rank.
struct CopiedPart {
  SharedImage image; ///< Of the part.
  /// Whether CTAs divide the rows of the tile's image. Otherwise, they divide each row.
  bool dividesRows = true;
  /// The offset of a CTA's part from that of the previous rank, if both are in one image, which
  /// both CTAs have; 0 if each CTA has only its part.
  int64_t distance = 0;

  bool isMulticast() const { return distance != 0; }
};

/// A CTA's part of an operand that a producer copies. Panels of rhs are divided, or rows of its
/// only one.
CopiedPart partOfOperand(const MatrixProduct &product, bool isLhs, bool isAlongK);
/// Whether each CTA of a cluster has one half of the tile.
bool isDividedAmongCtas(const TileLayout &layout);

/// Whether a hint asks for a cluster, or the accumulators of a product do not fit in registers of
/// one CTA.
bool wantsCluster(const Plan &ofOneCta);
/// Why this plan for a cluster is not possible; empty if it is.
std::string problemOfCluster(const Plan &plan);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_CLUSTER_H
