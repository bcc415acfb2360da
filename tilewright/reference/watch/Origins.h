// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where the NaNs, infinities and unspecified values in the results of a launch come from
// (check `origin`), and the values that are far from those of an execution in f64 (check
// `precision`, Shadow.h). The observer follows each of these elements forward: through the
// registers of a block, and through memory to other blocks. Where an operation makes one from
// operands without any of the same kind, it records the operation, the element and the operands:
// the origin. After the launch, each origin whose values are in an array is a finding, unless the
// checks `undefined` and `unspecified` have reported the stores.
//
// A NaN that an operation makes of infinities has an origin of its own, which names those of the
// infinities. A poison element is unspecified, whatever its bits are, until it is stored to an
// array.

#ifndef TILEWRIGHT_REFERENCE_WATCH_ORIGINS_H
#define TILEWRIGHT_REFERENCE_WATCH_ORIGINS_H

#include "tilewright/reference/machine/Mark.h"
#include "tilewright/reference/watch/Observer.h"
#include "tilewright/reference/watch/Shadow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::reference {

class Origins : public Observer {
public:
  explicit Origins(const Checks &checks)
      : findsNonFinite(checks.has(Check::Origin)), findsFar(checks.has(Check::Precision)) {}
  bool isNeeded() const { return findsNonFinite || findsFar; }

  void beforeOperation(TileBlock &block, mlir::Operation *op) override { shadow.begin(block, op); }
  void afterOperation(TileBlock &block, mlir::Operation *op, llvm::LogicalResult outcome) override;
  void onAccess(TileBlock &block, const MemoryOperation &operation,
                const Segment &segment) override;
  void onEnd(TileBlock &block) override {
    registers.erase(&block);
    shadow.onEnd(block);
  }

  /// A finding for each origin and each array that has its values, in the order of the origins.
  /// The memory of the launch must still exist.
  std::vector<Finding> findings() const;

private:
  enum class Kind : uint8_t { Nan, Infinity, Imprecise, Unspecified };
  /// A number from 1; 0 stands for any other element.
  using Id = uint32_t;
  /// By element; empty if all are 0.
  using Ids = std::vector<Id>;

  struct Origin {
    Kind kind;
    Finding finding;
  };
  /// Such an element in memory.
  struct Stored {
    Id id;
    const Allocation *allocation;
    Place place;
    Element value;
    ShadowOf shadow;
    mlir::Operation *store;
    Mark mark;
    bool counts; ///< Whether it leads to a finding.
  };

  bool hasShadow(numerics::Format format) const {
    return findsFar && numerics::info(format).isFloat();
  }
  std::optional<Kind> kindOf(Element element) const;
  std::optional<Kind> kindOf(const TileBlock &block, Source source) const;

  void noteReports(const TileBlock &block, mlir::Operation *op);
  bool isReported(const Stored &stored) const;
  void passOn(TileBlock &block, mlir::ValueRange from, llvm::ArrayRef<mlir::ValueRange> to);
  bool passOnAll(TileBlock &block, mlir::Operation *op);
  void define(TileBlock &block, mlir::OpResult result);
  Id idOf(TileBlock &block, mlir::OpResult result, int64_t element, Kind kind);
  Id idOf(TileBlock &block, Source source, Kind kind);
  Id idOfLoaded(TileBlock &block, mlir::OpResult result, int64_t element, Kind kind);
  /// The origin of this kind at the operation; the first one is kept.
  Id add(TileBlock &block, mlir::Operation *op, Kind kind, mlir::Value value, int64_t element,
         const llvm::Twine &what, llvm::ArrayRef<Id> causes = {});
  void access(TileBlock &block, const MemoryOperation &operation, Source operand, Place place);
  void onStore(TileBlock &block, const MemoryOperation &operation, Source operand, Place place);
  void onUpdate(TileBlock &block, const MemoryOperation &operation, Source operand, Place place,
                Id old);
  void put(TileBlock &block, const MemoryOperation &operation, Place place, Stored stored);
  Id idOfUpdated(TileBlock &block, const MemoryOperation &operation, Source operand, Id old,
                 Kind kind, llvm::ArrayRef<Element> operands);
  Finding findingOf(const Stored &first, int64_t count) const;

  static llvm::StringRef nameOf(Kind kind);

  const bool findsNonFinite, findsFar;
  Shadow shadow;
  std::vector<Origin> origins;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Id> known;
  llvm::DenseMap<const TileBlock *, llvm::DenseMap<mlir::Value, Ids>> registers;
  llvm::DenseMap<uint64_t, Stored> memory; ///< By keyOf.
  /// The stores whose undefined or unspecified elements those checks have reported.
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> reported;
  /// The elements that the current operation has read, each with its place.
  llvm::DenseMap<int64_t, std::pair<Id, Place>> loaded;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_WATCH_ORIGINS_H
