// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler with which XLA launches kernels, through XLA's foreign function interface. XLA calls
// it on its own threads, without Python, and on its own buffers. The attributes of a call contain
// all that the handler needs (including bytecode), so compiled or exported JAX programs also run in
// other processes. Kernels are cached under the attribute `key`.
//
//   bytecode, entry, checks   the kernel
//   general                   the same, compiled for any addresses; empty if `bytecode` is
//   key                       identifies all of this
//   plan                      see XlaPlan.h

#include "XlaKernels.h"

#include <algorithm>
#include <nanobind/stl/string.h>

using namespace tilewright;
using namespace tilewright::python;

static xla::Failure wrongCall(const std::string &message) {
  return {XLA_FFI_Error_Code_INVALID_ARGUMENT, "tilewright: " + message};
}

//===-- Attributes --------------------------------------------------------------------------===//

namespace {
class Attributes {
public:
  explicit Attributes(const XLA_FFI_Attrs &attributes) : attributes(attributes) {}

  std::string_view text(std::string_view name) const {
    const auto *span = static_cast<const XLA_FFI_ByteSpan *>(find(name, XLA_FFI_AttrType_STRING));
    return {span->ptr, span->len};
  }
  std::span<const int64_t> integers(std::string_view name) const {
    const auto *array = static_cast<const XLA_FFI_Array *>(find(name, XLA_FFI_AttrType_ARRAY));
    if (array->dtype != XLA_FFI_DataType_S64)
      throw wrongCall("attribute " + std::string(name) + " does not hold 64-bit integers");
    return {static_cast<const int64_t *>(array->data), array->size};
  }

private:
  const void *find(std::string_view name, XLA_FFI_AttrType type) const {
    for (int64_t i = 0; i < attributes.size; ++i)
      if (std::string_view(attributes.names[i]->ptr, attributes.names[i]->len) == name &&
          attributes.types[i] == type)
        return attributes.attrs[i];
    throw wrongCall("the call has no attribute " + std::string(name) + " of the expected type");
  }

  const XLA_FFI_Attrs &attributes;
};
} // namespace

//===-- A call ------------------------------------------------------------------------------===//

namespace {
/// An XLA buffer as the operand of one launch or, under `vmap`, of many: then it has leading batch
/// dimensions, with one array at each index.
class Operand {
public:
  Operand(const XLA_FFI_Buffer &buffer, const XlaPlan::Operand &plan)
      : data(static_cast<char *>(buffer.data)), elementBytes(plan.elementBytes) {
    if (buffer.rank < plan.rank)
      throw wrongCall("a buffer has rank " + std::to_string(buffer.rank) + ", expected at least " +
                      std::to_string(plan.rank));
    const std::span<const int64_t> extents(buffer.dims, size_t(buffer.rank));
    batch = extents.first(size_t(buffer.rank - plan.rank));
    shape.assign(extents.begin() + ptrdiff_t(batch.size()), extents.end());
    bytes = elementBytes;
    for (const int64_t extent : shape)
      bytes *= extent;
  }

  /// The address of the array at a batch index. A batch dimension of extent 1 has the same array
  /// for all indices.
  void *at(std::span<const int64_t> index) const {
    int64_t number = 0;
    for (size_t dim = 0; dim < batch.size(); ++dim)
      number = number * batch[dim] + (batch[dim] == 1 ? 0 : index[dim]);
    return data + number * bytes;
  }
  /// Whether all of its arrays are aligned.
  bool isAligned(uintptr_t alignment) const {
    const bool hasMany = std::ranges::any_of(batch, [](int64_t extent) { return extent > 1; });
    return reinterpret_cast<uintptr_t>(data) % alignment == 0 &&
           (!hasMany || uintptr_t(bytes) % alignment == 0);
  }

  char *data;
  int64_t elementBytes, bytes;
  std::span<const int64_t> batch;
  std::vector<int64_t> shape;
};

class Call {
public:
  explicit Call(const XLA_FFI_CallFrame &frame);
  void run() const;

private:
  void addOperand(bool isBuffer, const void *value);
  bool isAligned() const;
  void expectInPlace() const;
  const twKernelHandle *kernel() const;
  void launch(const twKernelHandle *kernel, std::span<const int64_t> index) const;
  twArray arrayOf(const XlaPlan::Parameter &parameter, std::span<const int64_t> index,
                  std::vector<int64_t> &shape) const;

  Attributes attributes;
  XlaPlan plan;
  std::vector<Operand> operands;
  /// The batch extents of all operands together.
  std::vector<int64_t> batch;
};
} // namespace

static XlaPlan planOf(std::span<const int64_t> words) {
  std::optional<XlaPlan> plan = XlaPlan::read(words);
  if (!plan)
    throw wrongCall("attribute plan is not one of this version of Tilewright");
  return std::move(*plan);
}

Call::Call(const XLA_FFI_CallFrame &frame)
    : attributes(frame.attrs), plan(planOf(attributes.integers("plan"))) {
  const int64_t count = frame.args.size + frame.rets.size;
  if (uint64_t(count) != plan.operands.size())
    throw wrongCall("the call has " + std::to_string(count) + " buffers, expected " +
                    std::to_string(plan.operands.size()));
  for (int64_t i = 0; i < frame.args.size; ++i)
    addOperand(frame.args.types[i] == XLA_FFI_ArgType_BUFFER, frame.args.args[i]);
  for (int64_t i = 0; i < frame.rets.size; ++i)
    addOperand(frame.rets.types[i] == XLA_FFI_RetType_BUFFER, frame.rets.rets[i]);
  expectInPlace();
}

void Call::addOperand(bool isBuffer, const void *value) {
  if (!isBuffer)
    throw wrongCall("operand " + std::to_string(operands.size()) + " is not a buffer");
  const auto &buffer = *static_cast<const XLA_FFI_Buffer *>(value);
  const Operand &operand = operands.emplace_back(buffer, plan.operands[operands.size()]);
  if (batch.empty())
    batch.assign(operand.batch.begin(), operand.batch.end());
  if (batch.size() != operand.batch.size())
    throw wrongCall("buffers have different numbers of batch dimensions");
  for (size_t dim = 0; dim < batch.size(); ++dim) {
    const int64_t extent = operand.batch[dim];
    if (batch[dim] != extent && batch[dim] != 1 && extent != 1)
      throw wrongCall("buffers have different batch dimensions");
    if (extent != 1)
      batch[dim] = extent;
  }
}

/// Fails unless XLA has placed each in-place result in the memory of its argument.
void Call::expectInPlace() const {
  for (size_t i = 0; i < operands.size(); ++i)
    if (const int64_t origin = plan.operands[i].origin;
        origin >= 0 && operands[size_t(origin)].data != operands[i].data)
      throw xla::Failure{XLA_FFI_Error_Code_INTERNAL,
                         "tilewright: XLA did not put a result into the memory of its argument"};
}

bool Call::isAligned() const {
  return std::ranges::all_of(plan.parameters, [&](const XlaPlan::Parameter &parameter) {
    return parameter.source != XlaPlan::Parameter::array ||
           operands[parameter.value].isAligned(uintptr_t(plan.alignment));
  });
}

/// The code for aligned addresses, which XLA's buffers have, or the code for any addresses:
/// elements of a batch may be unaligned.
const twKernelHandle *Call::kernel() const {
  std::string key(attributes.text("key"));
  xla::Source source = {attributes.text("bytecode"), attributes.text("entry"),
                        attributes.text("checks")};
  if (!isAligned()) {
    source.bytecode = attributes.text("general");
    key += "/general";
    if (source.bytecode.empty())
      throw xla::Failure{XLA_FFI_Error_Code_INTERNAL,
                         "tilewright: a buffer of XLA is at an address that is not a multiple of " +
                             std::to_string(plan.alignment) + " bytes"};
  }
  return xla::kernelFor(key, source, plan);
}

void Call::run() const {
  const twKernelHandle *compiled = kernel();
  int64_t count = 1;
  for (const int64_t extent : batch)
    count *= extent;
  std::vector<int64_t> index(batch.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    launch(compiled, index);
    for (size_t dim = batch.size(); dim-- > 0 && ++index[dim] == batch[dim];)
      index[dim] = 0;
  }
}

twArray Call::arrayOf(const XlaPlan::Parameter &parameter, std::span<const int64_t> index,
                      std::vector<int64_t> &shape) const {
  const Operand &operand = operands[parameter.value];
  shape = operand.shape;
  // Elements are packed two to a byte.
  if (parameter.element == TW_F4E2M1FN) {
    if (shape.empty())
      shape.push_back(1);
    shape.back() *= 2;
  }
  twArray array = {};
  array.size = sizeof array;
  array.data = operand.at(index);
  array.element = parameter.element;
  array.rank = shape.size();
  array.shape = shape.data();
  array.isUninitialised = plan.operands[parameter.value].origin == XlaPlan::Operand::result;
  return array;
}

void Call::launch(const twKernelHandle *compiled, std::span<const int64_t> index) const {
  const size_t count = plan.parameters.size();
  std::vector<twArgument> arguments;
  std::vector<twArray> arrays(count);
  std::vector<std::vector<int64_t>> shapes(count);
  for (size_t i = 0; i < count; ++i) {
    const XlaPlan::Parameter &parameter = plan.parameters[i];
    uint64_t bits = parameter.value;
    if (parameter.source == XlaPlan::Parameter::array) {
      arrays[i] = arrayOf(parameter, index, shapes[i]);
      arguments.push_back(twArrayArgument(&arrays[i]));
      continue;
    }
    if (parameter.source == XlaPlan::Parameter::numberOfOperand) {
      bits = 0;
      memcpy(&bits, operands[parameter.value].at(index),
             size_t(operands[parameter.value].elementBytes));
    }
    arguments.push_back({nullptr, parameter.element, bits});
  }

  twLaunchOptions options = {};
  options.size = sizeof options;
  std::copy(plan.grid.begin(), plan.grid.end(), options.grid);
  options.threads = plan.threads;
  twLaunchHandle *created = nullptr;
  twDiagnostics *reported = nullptr;
  twStatus status =
      twLaunchCreate(compiled, &options, arguments.data(), count, &created, &reported);
  const LaunchHandle launch(created);
  xla::report(status, DiagnosticsHandle(reported));
  status = twLaunchRun(created, &reported);
  xla::report(status, DiagnosticsHandle(reported));
}

//===-- The handler -------------------------------------------------------------------------===//

/// XLA first asks every handler for the interface version that it was compiled for.
static bool tellVersion(const XLA_FFI_CallFrame &frame) {
  const XLA_FFI_Extension_Base *extension = frame.extension_start;
  if (!extension || extension->type != XLA_FFI_Extension_Metadata)
    return false;
  XLA_FFI_Metadata &metadata =
      *reinterpret_cast<const XLA_FFI_Metadata_Extension *>(extension)->metadata;
  metadata.api_version.major_version = XLA_FFI_API_MAJOR;
  metadata.api_version.minor_version = XLA_FFI_API_MINOR;
  metadata.traits = 0;
  return true;
}

static XLA_FFI_Error *launchKernel(XLA_FFI_CallFrame *frame) {
  if (tellVersion(*frame))
    return nullptr;
  try {
    Call(*frame).run();
    return nullptr;
  } catch (const xla::Failure &failure) {
    XLA_FFI_Error_Create_Args error = {};
    error.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE;
    error.message = failure.message.c_str();
    error.errc = failure.code;
    return frame->api->XLA_FFI_Error_Create(&error);
  }
}

//===-- In Python ---------------------------------------------------------------------------===//

void python::defineXla(nb::module_ &module) {
  using namespace nb::literals;
  module.def(
      "xla_handler", [] { return nb::capsule(reinterpret_cast<void *>(&launchKernel)); },
      "A capsule with the XLA_FFI_Handler that launches kernels (tilewright/jax.py).");
  module.def("keep_for_xla", &xla::keep, "key"_a, "kernel"_a,
             "What calls with this attribute `key` launch.");
}
