// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the arrays of a launch lie in the memory of a machine, which gives addresses of its own,
// with gaps between them. Arrays that overlap become one allocation, so that what is written
// through one is read through the other, and races between the two are seen. Where an element is
// the address of another array, the kernel must find the one that the machine gave: so the machine
// runs on a copy of that memory, and what the kernel wrote is brought back.

#ifndef TILEWRIGHT_API_PLACEMENT_H
#define TILEWRIGHT_API_PLACEMENT_H

#include "tilewright/api/Array.h"
#include "tilewright/reference/machine/Machine.h"

namespace tilewright::api {

class Placement {
public:
  /// Of these arguments, which outlive it and do not change. Fails for what the machine cannot
  /// hold.
  static support::Result<Placement> of(std::span<const Argument> arguments);
  /// Fails as `of` does.
  static support::Result<void> verify(std::span<const Argument> arguments);

  /// Makes the arrays known to the machine, which must not outlive this. The bits of every
  /// parameter. Copies what has addresses in it.
  std::vector<numerics::Element> bind(reference::Machine &machine);
  /// The same for another machine: `bindMemory` makes memory known and returns its address. There
  /// is no multicast memory among the arguments.
  using BindMemory = llvm::function_ref<uint64_t(reference::HostMemory)>;
  std::vector<numerics::Element> bind(BindMemory bindMemory);
  /// After the launch: what the kernel wrote to memory that was copied goes to the host, but for
  /// addresses. Fails if it overwrote one.
  support::Result<void> bringBack();

private:
  /// An array that is an argument, or that one leads to.
  struct Placed {
    const Array *array;
    /// Its name, `array x`, or the number of its parameter: `2`, or `2[4]` for what element 4 of
    /// parameter 2 leads to.
    std::string label;
    bool isNamed;
    /// What its links lead to, and its region, by number.
    std::vector<size_t> targets = {};
    size_t region = 0;
  };
  /// Memory of one array, or of several that overlap.
  struct Region {
    std::span<uint8_t> bytes;
    /// Numbers of the arrays, in the order of parameters.
    std::vector<size_t> members = {};
    uint64_t address = 0;
    /// If elements are addresses: what the machine runs on, and what it had before.
    std::vector<uint8_t> copy = {}, before = {};
  };

  explicit Placement(std::span<const Argument> arguments) : arguments(arguments) {}

  size_t place(const Array &array, std::string label, bool isNamed = false);
  void findRegions();
  void join(Region &region, size_t number);
  support::Result<void> verify(const Region &region) const;
  reference::HostMemory describe(const Region &region) const;
  std::string nameOf(const Region &region) const;
  void bindRegions(BindMemory bindMemory);
  std::vector<numerics::Element> parameters(reference::Machine *machine);
  uint64_t bindMulticast(reference::Machine &machine, const Multicast &multicast, size_t parameter,
                         size_t first);
  std::string namesOf(std::span<const size_t> numbers, bool withTypes) const;
  bool hasAddresses(const Region &region) const;
  uint64_t addressOf(size_t number) const;
  uint8_t *placeOf(const Link &link, size_t number);
  void writeAddresses();

  std::span<const Argument> arguments;
  /// In the order of parameters, each followed by what it leads to.
  std::vector<Placed> arrays;
  std::vector<Region> regions;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PLACEMENT_H
