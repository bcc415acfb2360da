// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places the arrays of a launch in the memory of a device that has its own addresses: a machine,
// which leaves gaps between arrays, or a GPU. Overlapping arrays become one allocation, so that a
// write through one is visible through the other, and races between the two are detected. If array
// elements are addresses of other arrays, they must become addresses of the device. So the device
// runs on a copy of such memory, and what the kernel wrote there is copied back.

#ifndef TILEWRIGHT_API_PLACEMENT_H
#define TILEWRIGHT_API_PLACEMENT_H

#include "tilewright/api/Array.h"
#include "tilewright/reference/machine/Machine.h"

namespace tilewright::api {

class Placement {
public:
  /// Places the arrays of these arguments, which must outlive the placement and not change. Fails
  /// for arrays that a machine cannot hold.
  static support::Result<Placement> of(std::span<const Argument> arguments);
  /// Fails if `of` fails.
  static support::Result<void> verify(std::span<const Argument> arguments);

  /// An array of the arguments, or one that they link to, or a copy of multicast memory.
  struct NamedArray {
    const Array *array;
    /// The index of the argument.
    size_t argument;
    /// The name of its allocation in findings, which overlapping arrays share, and where the array
    /// begins in it, in bytes.
    std::string name;
    uint64_t offset;
  };
  /// In the order of parameters, each followed by the arrays that it links to.
  std::vector<NamedArray> namedArrays() const;

  /// Binds the arrays to the machine, which must not outlive the placement. Returns the bits of
  /// every parameter. Copies memory that holds addresses.
  std::vector<numerics::Element> bind(reference::Machine &machine);
  /// The same for another device: `bindMemory` binds memory and returns its address. There must be
  /// no multicast memory among the arguments.
  using BindMemory = llvm::function_ref<uint64_t(reference::HostMemory)>;
  std::vector<numerics::Element> bind(BindMemory bindMemory);
  /// After the launch, copies what the kernel wrote to copied memory back to the host, except
  /// addresses. Fails if the kernel overwrote an address.
  support::Result<void> copyBack();

private:
  /// An array that is an argument, or whose address is in another array.
  struct Placed {
    const Array *array;
    size_t argument;
    /// Its name, or the number of its parameter: `2`, or `2[4]` for the array whose address is in
    /// element 4 of parameter 2.
    std::string label;
    bool isNamed;
    /// Indices of the arrays that its links point to, and of its region.
    std::vector<size_t> targets = {};
    size_t region = 0;
  };
  /// The memory of one array, or of several that overlap.
  struct Region {
    std::span<uint8_t> bytes;
    /// Indices of the arrays, in the order of parameters.
    std::vector<size_t> members = {};
    uint64_t address = 0;
    /// If elements are addresses: the copy that the device uses, and its contents before the
    /// launch.
    std::vector<uint8_t> copy = {}, before = {};
  };

  explicit Placement(std::span<const Argument> arguments) : arguments(arguments) {}

  size_t place(const Array &array, size_t argument, std::string label, bool isNamed = false);
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
  /// In the order of parameters, each followed by the arrays that it links to.
  std::vector<Placed> arrays;
  std::vector<Region> regions;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PLACEMENT_H
