// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arguments.h.

#include "Arguments.h"

#include <nanobind/stl/string.h>
#include <unordered_map>

using namespace tilewright;
using namespace tilewright::python;

//===-- Errors ------------------------------------------------------------------------------===//

static std::string typeName(nb::handle object) {
  return nb::cast<std::string>(object.type().attr("__name__"));
}

static nb::builtin_exception wrongType(const std::string &expected, nb::handle found) {
  return nb::type_error(("expected " + expected + ", but got " + typeName(found)).c_str());
}

static nb::builtin_exception wrongValue(const std::string &message) {
  return nb::value_error(message.c_str());
}

//===-- Arrays ------------------------------------------------------------------------------===//

/// The class numpy.ndarray. Looked up when the module is loaded: an import during a call could
/// release Python's lock, and other threads would then wait for the same import.
static PyObject *arrayClass = nullptr;

void python::prepareArguments() {
  arrayClass = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
}

/// Maps a NumPy dtype to a Tile IR element type. Results are cached per dtype object: NumPy has one
/// object per type, except for other byte orders and the like.
static twElementType elementOf(nb::handle dtype) {
  static auto &known = *new std::unordered_map<PyObject *, twElementType>;
  if (const auto found = known.find(dtype.ptr()); found != known.end())
    return found->second;
  const auto element = twElementType(
      nb::cast<unsigned>(nb::module_::import_("tilewright._arrays").attr("element_of")(dtype)));
  if (known.size() < 64)
    known.emplace(nb::borrow(dtype).release().ptr(), element);
  return element;
}

bool python::holds(twElementType memory, twElementType wanted) {
  return memory == wanted || (wanted == TW_TF32 && memory == TW_F32) ||
         ((wanted == TW_F4E2M1FN || wanted == TW_F8E5M3FNU) && memory == TW_I8);
}

ExportedBuffer::ExportedBuffer(nb::handle array) {
  // Without the format: the ml_dtypes types have none.
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_STRIDES))
    throw nb::python_error();
}

/// The stride along a dimension, in elements. NumPy gives dimensions of extent 0 or 1 any stride.
static int64_t strideOf(const Py_buffer &buffer, int dim) {
  const Py_ssize_t bytes = buffer.shape[dim] <= 1 ? 0 : buffer.strides[dim];
  if (bytes % buffer.itemsize)
    throw wrongValue("its stride of " + std::to_string(bytes) + " bytes along dimension " +
                     std::to_string(dim) + " is not a multiple of its elements' " +
                     std::to_string(buffer.itemsize) + " bytes");
  if (bytes < 0)
    throw wrongValue("its stride along dimension " + std::to_string(dim) +
                     " is negative; pass a copy (numpy.ascontiguousarray)");
  return bytes / buffer.itemsize;
}

static void expectAligned(const Py_buffer &buffer) {
  if (reinterpret_cast<uintptr_t>(buffer.buf) % buffer.itemsize)
    throw wrongValue("its address is not a multiple of its elements' " +
                     std::to_string(buffer.itemsize) + " bytes; pass a copy (numpy.array)");
}

nb::tuple python::placeOfArray(nb::handle array) {
  const ExportedBuffer exported(array);
  const Py_buffer &buffer = exported.buffer;
  expectAligned(buffer);
  nb::list shape, strides;
  int64_t last = 0;
  bool isEmpty = false;
  for (int dim = 0; dim < buffer.ndim; ++dim) {
    const int64_t stride = strideOf(buffer, dim);
    shape.append(buffer.shape[dim]);
    strides.append(stride);
    last += (buffer.shape[dim] - 1) * stride;
    isEmpty |= buffer.shape[dim] == 0;
  }
  const auto address = reinterpret_cast<uintptr_t>(buffer.buf);
  const uintptr_t end = isEmpty ? address : address + (last + 1) * buffer.itemsize;
  return nb::make_tuple(address, end, nb::tuple(shape), nb::tuple(strides));
}

Arguments::Exported::Exported(nb::object taken, twElementType element)
    : ExportedBuffer(taken), array(std::move(taken)) {
  expectAligned(buffer);
  shape.assign(buffer.shape, buffer.shape + buffer.ndim);
  for (int dim = 0; dim < buffer.ndim; ++dim)
    strides.push_back(strideOf(buffer, dim));
  if (element == TW_F4E2M1FN)
    unpackExtents();
  value.size = sizeof value;
  value.data = buffer.buf;
  value.element = element;
  value.rank = shape.size();
  value.shape = shape.data();
  value.strides = strides.empty() ? nullptr : strides.data();
}

void Arguments::Exported::call(const char *kind, const std::string &given) {
  if (given.empty())
    return;
  name = kind + given;
  value.name = name.c_str();
}

/// For elements that are packed two to a byte.
void Arguments::Exported::unpackExtents() {
  if (!PyBuffer_IsContiguous(&buffer, 'C'))
    throw wrongValue("packed f4E2M1FN elements must lie in row-major order");
  if (shape.empty())
    shape.push_back(1);
  shape.back() *= 2;
  strides.clear();
}

/// Raises TypeError if the parameter needs other elements.
static void expectElements(const Parameter &parameter, nb::handle dtype) {
  if (!holds(elementOf(dtype), parameter.element))
    throw nb::type_error(
        nb::cast<std::string>(nb::module_::import_("tilewright._arrays")
                                  .attr("mismatch")(unsigned(parameter.element), dtype))
            .c_str());
}

bool Arguments::bindMulticast(const Parameter &parameter, nb::handle object) {
  if (!nb::isinstance(object, nb::module_::import_("tilewright._module").attr("Multicast")))
    return false;
  const nb::object asArray = nb::module_::import_("tilewright._arrays").attr("as_ndarray");
  std::vector<twArray> &bound = copies.emplace_back();
  for (nb::handle item : nb::list(object.attr("arrays"))) {
    nb::object array = asArray(item);
    expectElements(parameter, array.attr("dtype"));
    Exported &exported =
        *arrays.emplace_back(std::make_unique<Exported>(std::move(array), parameter.element));
    if (exported.buffer.readonly && parameter.isWritten)
      throw wrongValue("the kernel writes to copy " + std::to_string(bound.size()) +
                       ", and it is read-only");
    exported.call("array ", parameter.name.empty()
                                ? ""
                                : parameter.name + "[" + std::to_string(bound.size()) + "]");
    bound.push_back(exported.value);
  }
  arguments.push_back(twMulticastArgument(bound.data(), bound.size()));
  return true;
}

void Arguments::bindArray(const Parameter &parameter, nb::handle object) {
  const AddressTable *table =
      nb::isinstance<AddressTable>(object) ? nb::inst_ptr<AddressTable>(object) : nullptr;
  nb::object array;
  if (PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(arrayClass)))
    array = nb::borrow(object);
  else if (table)
    array = table->words;
  else if (bindMulticast(parameter, object))
    return;
  else
    array = nb::module_::import_("tilewright._arrays").attr("as_ndarray")(object);
  expectElements(parameter, array.attr("dtype"));
  Exported &exported =
      *arrays.emplace_back(std::make_unique<Exported>(std::move(array), parameter.element));
  if (exported.buffer.readonly && parameter.isWritten)
    throw wrongValue("the kernel writes to this array, and it is read-only");
  exported.call(table ? "list " : "array ", parameter.name);
  if (table) {
    for (size_t i = 0; i < table->places.size(); ++i) {
      nb::object target = table->arrays[i];
      const twElementType element = elementOf(target.attr("dtype"));
      Exported &linked =
          *exported.targets.emplace_back(std::make_unique<Exported>(std::move(target), element));
      if (linked.buffer.readonly)
        throw wrongValue("array " + std::to_string(i) +
                         " of the list is read-only, and the kernel may write to any of them");
      if (!parameter.name.empty())
        linked.call("", parameter.name + "[" + std::to_string(i) + "]");
      exported.links.push_back({table->places[i], &linked.value});
    }
    exported.value.links = exported.links.data();
    exported.value.linkCount = exported.links.size();
  }
  arguments.push_back(twArrayArgument(&exported.value));
}

//===-- Arrays in the memory of a GPU -------------------------------------------------------===//

namespace {
// DLPack's structs (dlpack.h, version 1.1).
struct DlTensor {
  void *data;
  int32_t deviceType, deviceNumber;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  const int64_t *shape, *strides; ///< In elements; strides may be null: row-major order.
  uint64_t byteOffset;
};
struct DlVersionedTensor {
  uint32_t major, minor;
  void *context, *deleter;
  uint64_t flags;
  DlTensor tensor;
};
} // namespace

static nb::tuple describe(const DlTensor &tensor, bool isReadOnly) {
  nb::list shape, strides;
  for (int dim = 0; dim < tensor.rank; ++dim) {
    shape.append(tensor.shape[dim]);
    if (tensor.strides)
      strides.append(tensor.strides[dim]);
  }
  const nb::object steps = tensor.strides ? nb::object(nb::tuple(strides)) : nb::none();
  return nb::make_tuple(reinterpret_cast<uintptr_t>(tensor.data) + tensor.byteOffset,
                        nb::make_tuple(tensor.code, tensor.bits, tensor.lanes), nb::tuple(shape),
                        steps, isReadOnly);
}

nb::tuple python::readDlpack(nb::handle capsule) {
  constexpr uint64_t readOnly = 1; // DLPACK_FLAG_BITMASK_READ_ONLY
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor"))
    return describe(*static_cast<DlTensor *>(PyCapsule_GetPointer(capsule.ptr(), "dltensor")),
                    false);
  const char *versioned = "dltensor_versioned";
  if (!PyCapsule_IsValid(capsule.ptr(), versioned))
    throw wrongType("a capsule of DLPack", capsule);
  const auto &managed =
      *static_cast<DlVersionedTensor *>(PyCapsule_GetPointer(capsule.ptr(), versioned));
  if (managed.major != 1)
    throw wrongValue("it is exported as version " + std::to_string(managed.major) +
                     " of DLPack, of which only version 1 is known");
  return describe(managed.tensor, managed.flags & readOnly);
}

bool Arguments::bindGpuArray(const Parameter &parameter, nb::handle object, uintptr_t stream) {
  nb::object array = nb::module_::import_("tilewright._gpu_arrays").attr("view")(object, stream);
  if (array.is_none())
    return false;
  expectElements(parameter, array.attr("dtype"));
  if (nb::cast<bool>(array.attr("read_only")) && parameter.isWritten)
    throw wrongValue("the kernel writes to this array, and it is read-only");
  const auto address = nb::cast<uintptr_t>(array.attr("address"));
  arguments.push_back(twAddressArgument(reinterpret_cast<void *>(address)));
  kept.push_back(std::move(array));
  return true;
}

//===-- Scalars -----------------------------------------------------------------------------===//

/// The bits of an integer with this width, which may be in the signed or the unsigned range.
static uint64_t integerBits(nb::handle object, unsigned width, const std::string &type) {
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
      throw nb::python_error();
    PyErr_Clear();
    // A NumPy bool is not an integer.
    if (!typeName(object).starts_with("bool"))
      throw wrongType("an integer", object);
    const int isTrue = PyObject_IsTrue(object.ptr());
    if (isTrue < 0)
      throw nb::python_error();
    index = nb::int_(isTrue);
  }
  const nb::int_ least(width == 1 ? int64_t(0) : INT64_MIN >> (64 - width));
  const nb::int_ most(UINT64_MAX >> (64 - width));
  if (index < least || index > most)
    throw wrongValue(nb::cast<std::string>(nb::str(index)) + " does not fit into " + type +
                     ", which takes " + nb::cast<std::string>(nb::str(least)) + " to " +
                     nb::cast<std::string>(nb::str(most)));
  const uint64_t bits = PyLong_AsUnsignedLongLongMask(index.ptr());
  return bits & (UINT64_MAX >> (64 - width));
}

static uint64_t floatBits(nb::handle object, twElementType element) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1.0 && PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
      throw nb::python_error();
    PyErr_Clear();
    throw wrongType("a number", object);
  }
  if (element == TW_F32)
    return twF32Argument(float(value)).bits;
  if (element == TW_F64)
    return twF64Argument(value).bits;
  return nb::cast<uint64_t>(
      nb::module_::import_("tilewright._arrays").attr("float_bits")(value, unsigned(element)));
}

uint64_t python::scalarBits(twElementType element, nb::handle object) {
  switch (element) {
  case TW_I1:
    return integerBits(object, 1, "i1");
  case TW_I8:
    return integerBits(object, 8, "i8");
  case TW_I16:
    return integerBits(object, 16, "i16");
  case TW_I32:
    return integerBits(object, 32, "i32");
  case TW_I64:
    return integerBits(object, 64, "i64");
  default:
    return floatBits(object, element);
  }
}

//===-- All of them -------------------------------------------------------------------------===//

/// `kernel @add: argument 2 of type !cuda_tile.tile<i32>: `, or `kernel @add: argument x: `
static std::string placeOf(const Kernel &kernel, size_t index) {
  const Parameter &parameter = kernel.parameters()[index];
  const std::string which = parameter.name.empty()
                                ? std::to_string(index + 1) + " of type " + parameter.type
                                : parameter.name;
  return "kernel @" + kernel.name() + ": argument " + which + ": ";
}

/// A kernel for its parameters: the reference machine compiles nothing.
static Kernel uncompiled(const twEntry *entry, const std::vector<std::string> &names) {
  CompileSettings settings;
  settings.device = TW_REFERENCE;
  return Kernel::compile(entry, settings, names);
}

Arguments::Arguments(const twEntry *entry, const std::vector<std::string> &names, nb::args objects)
    : Arguments(uncompiled(entry, names), objects, /*stream=*/0) {}

Arguments::Arguments(const Kernel &kernel, nb::args objects, uintptr_t stream) {
  const std::vector<Parameter> &parameters = kernel.parameters();
  if (objects.size() != parameters.size())
    throw nb::type_error(("kernel @" + kernel.name() + " takes " +
                          std::to_string(parameters.size()) + " arguments, but got " +
                          std::to_string(objects.size()))
                             .c_str());
  arguments.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    try {
      if (parameters[i].isPointer && kernel.device() == TW_GPU &&
          bindGpuArray(parameters[i], objects[i], stream))
        continue;
      if (parameters[i].isPointer)
        bindArray(parameters[i], objects[i]);
      else
        arguments.push_back(
            {nullptr, parameters[i].element, scalarBits(parameters[i].element, objects[i])});
    } catch (const nb::builtin_exception &error) {
      throw nb::builtin_exception(error.type(), (placeOf(kernel, i) + error.what()).c_str());
    } catch (nb::python_error &error) {
      if (!error.type().is(PyExc_TypeError) && !error.type().is(PyExc_ValueError) &&
          !error.type().is(PyExc_OverflowError))
        throw;
      nb::raise_from(error, error.type().ptr(), "%s%s", placeOf(kernel, i).c_str(),
                     nb::cast<std::string>(nb::str(error.value())).c_str());
    }
  }
}
