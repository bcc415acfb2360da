// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is certain about a tile block with open reads? An event is certain to take place, at its
// location, if it depends on no open read; and what it writes is certain if that does not depend on
// one either. An atomic pair of which the read is open is a certain event, and only an exchange
// knows then what it writes.

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
    /// Its event in the trace, and among those that are certain, if it is.
    unsigned event;
    std::optional<unsigned> certain;
    /// What it writes, or that it writes nothing.
    bool isWriteCertain;
  };
  /// Null if there was none.
  const Seen *find(unsigned access) const;
  const Event &eventOf(unsigned access) const { return made.trace.events[find(access)->event]; }

  const Behaviour &behaviour() const { return made; }
  /// The events that are certain, without what is not certain about them.
  const Trace &certain() const { return certainTrace; }
  /// Whether a token orders an event before another.
  bool isTokenOrdered(unsigned event, unsigned later) const {
    return tokenOrder(made.trace.events[event].operation, made.trace.events[later].operation);
  }
  /// Accesses of which the read is open, in the order of the trace.
  llvm::ArrayRef<unsigned> openReads() const { return open; }
  bool isComplete() const { return open.empty(); }
  /// Whether there may be events that it does not show and that do not depend on a read, by event.
  bool mayHideEvents(std::optional<unsigned> read = std::nullopt) const;

private:
  Behaviour made;
  Trace certainTrace;
  /// Of operations.
  Relation tokenOrder;
  std::map<unsigned, Seen> seen;
  std::vector<unsigned> open;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_PARTIALRUN_H
