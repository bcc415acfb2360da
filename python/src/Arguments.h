// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do Python's objects become arguments? Arrays are taken where they are, without a copy, and
// stay exported while this lives; numbers must fit the type of their parameter.

#ifndef TILEWRIGHT_PYTHON_ARGUMENTS_H
#define TILEWRIGHT_PYTHON_ARGUMENTS_H

#include "KernelObject.h"

#include <span>

namespace tilewright::python {

/// Finds what binding arguments needs of NumPy; when the module is loaded.
void prepareArguments();

/// Memory of an array of NumPy, which stays where it is while this lives.
struct ExportedBuffer {
  explicit ExportedBuffer(nb::handle array);
  ~ExportedBuffer() { PyBuffer_Release(&buffer); }
  ExportedBuffer(const ExportedBuffer &) = delete;
  ExportedBuffer &operator=(const ExportedBuffer &) = delete;

  Py_buffer buffer = {};
};

/// Where an array of NumPy lies: its address, the one behind its last element, its extents, and its
/// strides in elements. Raises ValueError for arrays that no kernel can take.
nb::tuple placeOfArray(nb::handle array);

/// Does memory of this element type hold what a pointer to `wanted` points to? tf32 has no type in
/// Python and lies in memory as f32 does; f4E2M1FN arrives as bytes with two elements each, and
/// f8E5M3FNU as bytes.
bool holds(twElementType memory, twElementType wanted);

/// The bits of a number for a parameter of this type. Raises TypeError, ValueError or OverflowError
/// for what does not fit.
uint64_t scalarBits(twElementType element, nb::handle object);

/// An argument for a pointer to i64: an array of integers some of which are addresses of other
/// arrays, as cuTile passes lists. `places` and `arrays` say which, and of what.
struct AddressTable {
  nb::object words;
  std::vector<int64_t> places;
  nb::list arrays;
};

class Arguments {
public:
  /// Raises TypeError or ValueError, with the kernel, the number and the type of the parameter.
  Arguments(const Kernel &kernel, nb::args objects);
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  std::span<const twArgument> get() const { return arguments; }

private:
  /// An array that a parameter points to, or that a table leads to.
  struct Exported : ExportedBuffer {
    Exported(nb::object array, twElementType element);

    /// What findings call it; nothing if `name` is empty.
    void call(const char *kind, const std::string &name);

    nb::object array;
    twArray value = {};
    std::string name;
    std::vector<int64_t> shape, strides;
    /// Of an AddressTable: what it leads to.
    std::vector<std::unique_ptr<Exported>> targets;
    std::vector<twLink> links;

  private:
    void unpackExtents();
  };

  void bindArray(const Parameter &parameter, nb::handle object);

  std::vector<twArgument> arguments;
  std::vector<std::unique_ptr<Exported>> arrays;
};

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_ARGUMENTS_H
