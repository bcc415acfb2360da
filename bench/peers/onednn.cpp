// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C interface to oneDNN 2 and 3: one function creates a primitive for given arrays, another one
// runs it. Primitives are created once and run repeatedly, as intended by oneDNN; arrays are plain
// row-major. Implementations named "ref" are meant for tests and are refused.

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>

using namespace dnnl;
using dims = memory::dims;
using type = memory::data_type;

namespace {
struct Call {
  primitive what;
  std::unordered_map<int, memory> arguments;
};

std::string failure;

engine &cpu() {
  static engine instance(engine::kind::cpu, 0);
  return instance;
}

stream &queue() {
  static stream instance(cpu());
  return instance;
}

type typeOf(const std::string &name) {
  if (name == "f32")
    return type::f32;
  if (name == "f16")
    return type::f16;
  if (name == "bf16")
    return type::bf16;
  if (name == "i8")
    return type::s8;
  if (name == "i32")
    return type::s32;
#if DNNL_VERSION_MAJOR >= 3
  if (name == "f8E4M3FN")
    return type::f8_e4m3;
#endif
  throw std::runtime_error("this version has no type " + name);
}

memory matrix(int64_t rows, int64_t columns, type of, void *data) {
  return memory({{rows, columns}, of, memory::format_tag::ab}, cpu(), data);
}

template <typename Descriptor>
Call *finish(const Descriptor &descriptor, primitive what,
             std::unordered_map<int, memory> arguments) {
  const std::string implementation = descriptor.impl_info_str();
  if (implementation.find("ref") != std::string::npos)
    throw std::runtime_error("only a reference implementation, " + implementation);
  return new Call{std::move(what), std::move(arguments)};
}

template <typename Make> void *guarded(Make make) {
  try {
    return make();
  } catch (const std::exception &caught) {
    failure = std::string("oneDNN: ") + caught.what();
    return nullptr;
  }
}
} // namespace

extern "C" const char *onednn_error() { return failure.c_str(); }

extern "C" void onednn_run(void *call) {
  auto *of = static_cast<Call *>(call);
  of->what.execute(queue(), of->arguments);
  queue().wait();
}

/// c = a b, without packing b in advance.
extern "C" void *onednn_matmul(const char *inputs, const char *output, int64_t batch, int64_t m,
                               int64_t n, int64_t k, void *a, void *b, void *c) {
  return guarded([&] {
    auto describe = [&](int64_t rows, int64_t columns, const char *of) {
      return batch == 1 ? memory::desc({rows, columns}, typeOf(of), memory::format_tag::ab)
                        : memory::desc({batch, rows, columns}, typeOf(of), memory::format_tag::abc);
    };
    const auto aType = describe(m, k, inputs), bType = describe(k, n, inputs);
    const auto cType = describe(m, n, output);
#if DNNL_VERSION_MAJOR >= 3
    matmul::primitive_desc descriptor(cpu(), aType, bType, cType);
#else
    matmul::primitive_desc descriptor({aType, bType, cType}, cpu());
#endif
    return finish(descriptor, matmul(descriptor),
                  {{DNNL_ARG_SRC, memory(aType, cpu(), a)},
                   {DNNL_ARG_WEIGHTS, memory(bType, cpu(), b)},
                   {DNNL_ARG_DST, memory(cType, cpu(), c)}});
  });
}

/// Softmax of rows.
extern "C" void *onednn_softmax(int64_t rows, int64_t columns, void *x, void *y) {
  return guarded([&] {
    const memory in = matrix(rows, columns, type::f32, x),
                 out = matrix(rows, columns, type::f32, y);
#if DNNL_VERSION_MAJOR >= 3
    softmax_forward::primitive_desc descriptor(cpu(), prop_kind::forward_inference,
                                               algorithm::softmax_accurate, in.get_desc(),
                                               out.get_desc(), 1);
#else
    softmax_forward::primitive_desc descriptor({prop_kind::forward_inference, in.get_desc(), 1},
                                               cpu());
#endif
    return finish(descriptor, softmax_forward(descriptor),
                  {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, out}});
  });
}

/// Layer norm of rows, with a scale and a shift per column. In version 2 they are two rows of one
/// array, so they must be contiguous.
extern "C" void *onednn_layer_norm(int64_t rows, int64_t columns, void *x, void *scaleAndShift,
                                   void *y) {
  return guarded([&] {
    const memory in = matrix(rows, columns, type::f32, x),
                 out = matrix(rows, columns, type::f32, y);
#if DNNL_VERSION_MAJOR >= 3
    using flags = normalization_flags;
    layer_normalization_forward::primitive_desc descriptor(cpu(), prop_kind::forward_inference,
                                                           in.get_desc(), out.get_desc(), 1e-5f,
                                                           flags::use_scale | flags::use_shift);
    const memory::desc row({columns}, type::f32, memory::format_tag::a);
    auto *scale = static_cast<float *>(scaleAndShift);
    return finish(descriptor, layer_normalization_forward(descriptor),
                  {{DNNL_ARG_SRC, in},
                   {DNNL_ARG_DST, out},
                   {DNNL_ARG_SCALE, memory(row, cpu(), scale)},
                   {DNNL_ARG_SHIFT, memory(row, cpu(), scale + columns)}});
#else
    layer_normalization_forward::primitive_desc descriptor(
        {prop_kind::forward_inference, in.get_desc(), 1e-5f, normalization_flags::use_scale_shift},
        cpu());
    return finish(descriptor, layer_normalization_forward(descriptor),
                  {{DNNL_ARG_SRC, in},
                   {DNNL_ARG_DST, out},
                   {DNNL_ARG_SCALE_SHIFT, matrix(2, columns, type::f32, scaleAndShift)}});
#endif
  });
}
