// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run of a tile block with open reads, and what is certain about it. An event is certain if
// neither its occurrence nor its location depends on an open read; the value that it writes is
// certain if that does not depend on one either. An atomic pair whose read is open is a certain
// event, but only for an exchange is the written value certain, too.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_PARTIALRUN_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_PARTIALRUN_H

#include "tilewright/reference/exhaustive/Behaviour.h"
#include "tilewright/reference/exhaustive/Relation.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilewright::reference {

class PartialRun {
public:
  explicit PartialRun(Behaviour behaviour);

  /// An access of this run.
  struct Seen {
    /// Index of its event in the trace, and among the certain events if it is one.
    unsigned event;
    std::optional<unsigned> certain;
    /// Whether it is certain what it writes, or that it does not write.
    bool isWriteCertain;
  };
  /// Null if the run has no such access.
  const Seen *find(unsigned access) const;
  const Event &eventOf(unsigned access) const { return made.trace.events[find(access)->event]; }

  const Behaviour &behaviour() const { return made; }
  /// The certain events, without their uncertain values.
  const Trace &certain() const { return certainTrace; }
  /// Whether a token orders an event before another.
  bool isTokenOrdered(unsigned event, unsigned later) const {
    return tokenOrder(made.trace.events[event].operation, made.trace.events[later].operation);
  }
  /// Accesses whose read is open, in trace order.
  llvm::ArrayRef<unsigned> openReads() const { return open; }
  bool isComplete() const { return open.empty(); }
  /// Whether the run may lack events. With `read` (an event number), only events that do not depend
  /// on this read count.
  bool mayHideEvents(std::optional<unsigned> read = std::nullopt) const;

private:
  Behaviour made;
  Trace certainTrace;
  /// The token order of operations.
  Relation tokenOrder;
  std::map<unsigned, Seen> seen;
  std::vector<unsigned> open;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_PARTIALRUN_H
