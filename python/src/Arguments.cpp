// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arguments.h.

#include "Arguments.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
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

void Arguments::bindArray(const Parameter &parameter, nb::handle object) {
  const AddressTable *table =
      nb::isinstance<AddressTable>(object) ? nb::inst_ptr<AddressTable>(object) : nullptr;
  nb::object array;
  if (PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(arrayClass)))
    array = nb::borrow(object);
  else if (table)
    array = table->words;
  else
    array = nb::module_::import_("tilewright._arrays").attr("as_ndarray")(object);
  const nb::object dtype = array.attr("dtype");
  if (!holds(elementOf(dtype), parameter.element))
    throw nb::type_error(
        nb::cast<std::string>(nb::module_::import_("tilewright._arrays")
                                  .attr("mismatch")(unsigned(parameter.element), dtype))
            .c_str());
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

//===-- Arrays in the memory of a GPU --------------------------------------------------------===//

/// The element type of a DLPack dtype; TW_NO_ELEMENT if Tile IR has no such elements.
static twElementType elementOf(const nb::dlpack::dtype &dtype) {
  // Codes of DLPack 1.1.
  enum Code {
    Int = 0,
    UInt = 1,
    Float = 2,
    Bfloat = 4,
    Bool = 6,
    E4m3fn = 10,
    E5m2 = 12,
    E8m0fnu = 14
  };
  if (dtype.lanes != 1)
    return TW_NO_ELEMENT;
  switch (dtype.code) {
  case Int:
  case UInt:
    return dtype.bits == 8    ? TW_I8
           : dtype.bits == 16 ? TW_I16
           : dtype.bits == 32 ? TW_I32
           : dtype.bits == 64 ? TW_I64
                              : TW_NO_ELEMENT;
  case Float:
    return dtype.bits == 16   ? TW_F16
           : dtype.bits == 32 ? TW_F32
           : dtype.bits == 64 ? TW_F64
                              : TW_NO_ELEMENT;
  case Bfloat:
    return dtype.bits == 16 ? TW_BF16 : TW_NO_ELEMENT;
  case Bool:
    return dtype.bits == 8 ? TW_I1 : TW_NO_ELEMENT;
  case E4m3fn:
    return TW_F8E4M3FN;
  case E5m2:
    return TW_F8E5M2;
  case E8m0fnu:
    return TW_F8E8M0FNU;
  default:
    return TW_NO_ELEMENT;
  }
}

namespace {
struct GpuArray {
  uintptr_t address = 0;
  twElementType element = TW_NO_ELEMENT;
  bool isReadOnly = false;
  nb::object owner;
};
} // namespace

/// Whether the object has `__dlpack_device__`, which says that it is in the memory of a GPU. Raises
/// for other GPUs than the first.
static bool isOnGpu(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack_device__"))
    return false;
  const auto [type, number] =
      nb::cast<std::tuple<int, int>>(nb::tuple(object.attr("__dlpack_device__")()));
  if (type != nb::device::cuda::value)
    return false;
  if (number)
    throw wrongValue("it is on GPU " + std::to_string(number) + ", but the kernel runs on GPU 0");
  return true;
}

static GpuArray throughDlpack(nb::handle object) {
  const auto array = nb::cast<nb::ndarray<nb::ro>>(object);
  return {reinterpret_cast<uintptr_t>(array.data()), elementOf(array.dtype()), false,
          nb::borrow(object)};
}

/// `__cuda_array_interface__`, version 3 (Numba's documentation).
static GpuArray throughInterface(nb::handle object, uintptr_t stream) {
  const auto [address, element, isReadOnly] = nb::cast<std::tuple<uintptr_t, unsigned, bool>>(
      nb::module_::import_("tilewright._arrays").attr("on_gpu")(object, stream));
  return {address, twElementType(element), isReadOnly, nb::borrow(object)};
}

bool Arguments::bindGpuArray(const Parameter &parameter, nb::handle object, uintptr_t stream) {
  GpuArray array;
  if (isOnGpu(object))
    array = throughDlpack(object);
  else if (nb::hasattr(object, "__cuda_array_interface__"))
    array = throughInterface(object, stream);
  else
    return false;
  if (!holds(array.element, parameter.element))
    throw nb::type_error(
        nb::cast<std::string>(
            nb::module_::import_("tilewright._arrays")
                .attr("mismatch_on_gpu")(unsigned(parameter.element), unsigned(array.element)))
            .c_str());
  if (array.isReadOnly && parameter.isWritten)
    throw wrongValue("the kernel writes to this array, and it is read-only");
  kept.push_back(std::move(array.owner));
  arguments.push_back(twAddressArgument(reinterpret_cast<void *>(array.address)));
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
