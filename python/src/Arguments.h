// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts Python objects to kernel arguments. Arrays are passed without a copy, and stay exported
// while the `Arguments` object lives; numbers must fit the type of their parameter. A kernel on a
// GPU also takes arrays in its memory.

#ifndef TILEWRIGHT_PYTHON_ARGUMENTS_H
#define TILEWRIGHT_PYTHON_ARGUMENTS_H

#include "KernelObject.h"

#include <list>
#include <span>

namespace tilewright::python {

/// Looks up the NumPy class that binding needs; called when the module is loaded.
void prepareArguments();

/// Memory of a NumPy array, which cannot be reallocated while this object lives.
struct ExportedBuffer {
  explicit ExportedBuffer(nb::handle array);
  ~ExportedBuffer() { PyBuffer_Release(&buffer); }
  ExportedBuffer(const ExportedBuffer &) = delete;
  ExportedBuffer &operator=(const ExportedBuffer &) = delete;

  Py_buffer buffer = {};
};

/// The memory of a NumPy array: its address, one past its last byte, its extents, and its strides
/// in elements. Raises ValueError for arrays that no kernel can take.
nb::tuple placeOfArray(nb::handle array);

/// Reads a capsule of DLPack, which remains the owner: the address, the triple of code, bits and
/// lanes, the extents, the strides in elements or None for row-major order, and whether it is
/// read-only. Raises TypeError or ValueError for other objects.
nb::tuple readDlpack(nb::handle capsule);

/// Whether memory of element type `memory` can be passed to a pointer to `wanted`. Python has no
/// tf32 type, which has the layout of f32 in memory; f4E2M1FN may come as bytes with two elements
/// each, and f8E5M3FNU as bytes.
bool holds(twElementType memory, twElementType wanted);

/// The bits of a number for a parameter of this type. Raises TypeError, ValueError or OverflowError
/// if the number does not fit.
uint64_t scalarBits(twElementType element, nb::handle object);

/// An argument for a pointer to i64: an array of integers, some of which are addresses of other
/// arrays. cuTile passes lists like this. `places` are the indices of the addresses, `arrays` the
/// arrays there.
struct AddressTable {
  nb::object words;
  std::vector<int64_t> places;
  nb::list arrays;
};

class Arguments {
public:
  /// `stream`: the CUstream of the launch; 0 if it waits. Raises TypeError or ValueError, with the
  /// kernel, and the number and type of the parameter.
  Arguments(const Kernel &kernel, nb::args objects, uintptr_t stream);
  /// For the parameters of an entry, which have these names in errors; `names` may be empty.
  Arguments(const twEntry *entry, const std::vector<std::string> &names, nb::args objects);
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  std::span<const twArgument> get() const { return arguments; }

private:
  /// An array that a parameter or a table entry points to.
  struct Exported : ExportedBuffer {
    Exported(nb::object array, twElementType element);

    /// Sets its name in findings; does nothing if `name` is empty.
    void call(const char *kind, const std::string &name);

    nb::object array;
    twArray value = {};
    std::string name;
    std::vector<int64_t> shape, strides;
    /// For an AddressTable: the arrays that it points to.
    std::vector<std::unique_ptr<Exported>> targets;
    std::vector<twLink> links;

  private:
    void unpackExtents();
  };

  void bindArray(const Parameter &parameter, nb::handle object);
  /// Binds a `Multicast`, and returns true; returns false if it is none.
  bool bindMulticast(const Parameter &parameter, nb::handle object);
  /// Binds an array in the memory of a GPU, and returns true; returns false if it is none.
  bool bindGpuArray(const Parameter &parameter, nb::handle object, uintptr_t stream);

  std::vector<twArgument> arguments;
  std::vector<std::unique_ptr<Exported>> arrays;
  /// For each Multicast, its arrays, one after the other.
  std::list<std::vector<twArray>> copies;
  /// Arrays in the memory of a GPU.
  std::vector<nb::object> kept;
};

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_ARGUMENTS_H
