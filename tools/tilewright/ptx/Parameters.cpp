// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Parameters.h.

#include "tools/tilewright/ptx/Parameters.h"

#include "tilewright/runtime/Npy.h"
#include "tools/tilewright/arrays/ArrayValue.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using numerics::Format;
using support::Failure;
using support::Result;

//===-- Parameter types ---------------------------------------------------------------------===//

static std::optional<Format> formatOfFile(const runtime::Array &array) {
  for (const numerics::FormatInfo &row : numerics::allFormats()) {
    const auto dtypes = dtypesOf(row.format);
    if (!dtypes.empty() && dtypes.front() == array.dtype())
      return row.format;
  }
  return array.dtype().kind == 'u' ? numerics::integerFormat(unsigned(array.dtype().itemsize * 8))
                                   : std::nullopt;
}

/// The element type: the word before a bracket, as in `f32[1]`, or after the last `x` of a shape,
/// as in `zeros(4x8xf16;...)`.
static StringRef elementWord(StringRef text) {
  const size_t bracket = text.find_first_of("[(");
  if (text[bracket] == '[')
    return text.take_front(bracket).trim();
  StringRef shape =
      text.drop_front(bracket + 1).take_until([](char c) { return c == ';' || c == ')'; });
  const size_t last = shape.rfind('x');
  return (last == StringRef::npos ? shape : shape.drop_front(last + 1)).trim();
}

/// The element type that the text names; if the text is a file, the file's element type.
static Result<Format> formatOfArray(StringRef text) {
  if (text.find_first_of("[(") == StringRef::npos) {
    Result<runtime::Array> array = runtime::readNpy(std::filesystem::path(text.str()));
    if (!array)
      return array.failure();
    if (const auto format = formatOfFile(*array))
      return *format;
    return Failure{text.str() + ": the type of its elements is not known"};
  }
  const StringRef word = elementWord(text);
  if (const auto format = numerics::formatNamed(word))
    return *format;
  return Failure{"'" + word.str() + "' is no type of elements"};
}

static Format formatOfScalar(ptx::Type type, StringRef text) {
  const unsigned bits = 8 * ptx::bytesOf(type);
  const bool looksLikeFloat =
      !text.starts_with("0x") &&
      (text.contains('.') || text.contains('e') || text.contains("nan") || text.contains("inf"));
  if (type == ptx::Type::BF16)
    return Format::BF16;
  const bool isUntyped = ptx::info(type).kind == ptx::TypeKind::Bits;
  if (ptx::isFloat(type) || (isUntyped && looksLikeFloat && bits >= 16))
    return bits == 16 ? Format::F16 : bits == 32 ? Format::F32 : Format::F64;
  return *numerics::integerFormat(bits);
}

static Result<ParameterType> typeOf(const ptx::Variable &variable, StringRef spec) {
  const StringRef text = spec.take_until([](char c) { return c == ','; }).trim();
  const std::string name = "%" + std::string(variable.name);
  const bool isArray = isArrayValue(spec.split(",out=").first.split(",print").first.trim());
  const bool isBytes = variable.bytes != ptx::bytesOf(variable.type);
  const bool mayBeBytes = isBytes || variable.type == ptx::Type::B8; // `.b8 s[1]` is one, too
  if (isArray || isBytes) {
    if (!isArray)
      return Failure{"expected an array for the " + std::to_string(variable.bytes) +
                     " bytes of parameter '" + std::string(variable.name) + "', but found '" +
                     spec.str() + "'"};
    if (!mayBeBytes && variable.bytes != 8)
      return Failure{"parameter '" + std::string(variable.name) + "' has " +
                     std::to_string(variable.bytes) + " bytes and is no pointer, but found '" +
                     spec.str() + "'"};
    const StringRef value = spec.split(",out=").first.split(",print").first.trim();
    Result<Format> format = formatOfArray(value);
    if (!format)
      return format.failure();
    return ParameterType{true, *format, name};
  }
  return ParameterType{false, formatOfScalar(variable.type, text), name};
}

/// The type for binding a tensor map: a pointer to the elements of the map's array, or, if that is
/// the array of another argument, a placeholder.
static Result<ParameterType> typeOfTensorMap(const ptx::Variable &variable,
                                             const TensorMapSpec &map) {
  const std::string name = "%" + std::string(variable.name);
  if (variable.bytes != ptx::tensorMapBytes && variable.bytes != 8)
    return Failure{"parameter '" + std::string(variable.name) + "' has " +
                   std::to_string(variable.bytes) +
                   " bytes, and is neither a tensor map of 128 bytes nor a pointer to one"};
  if (map.argument)
    return ParameterType{false, Format::I64, name};
  const StringRef value = StringRef(map.array).split(",out=").first.split(",print").first.trim();
  if (!isArrayValue(value))
    return Failure{"expected an array behind the ';' of a tensor map, found '" + value.str() + "'"};
  Result<Format> format = formatOfArray(value);
  if (!format)
    return format.failure();
  return ParameterType{true, *format, name};
}

/// An array of bytes as large and aligned as a pointer is one, unless its argument has 8 bytes and
/// is not an output.
static bool isPointer(const ptx::Variable &variable, size_t array, const Arguments &arguments) {
  if (variable.bytes == ptx::bytesOf(variable.type))
    return variable.bytes == 8;
  const bool mayBePointer = variable.bytes == 8 && variable.alignment % 8 == 0;
  const bool isOutput =
      llvm::any_of(arguments.outputs, [&](const Output &output) { return output.array == array; });
  return mayBePointer && (isOutput || arguments.arrays[array].storage().bytes().size() != 8);
}

//===-- Binding -----------------------------------------------------------------------------===//

Result<PtxParameters> PtxParameters::bind(const ptx::Module &module, const ptx::Function &entry,
                                          llvm::ArrayRef<std::string> specs) {
  PtxParameters bound(module, entry);
  std::vector<std::string> rewritten(specs.begin(), specs.end());
  std::vector<ParameterType> types;
  for (const auto &[index, number] : llvm::enumerate(entry.parameters)) {
    const StringRef spec = index < specs.size() ? StringRef(specs[index]) : "0";
    if (spec.starts_with("array:"))
      return Failure{"--arg " + std::to_string(index + 1) +
                     ": 'array:' is for entries of Tile IR; give the address, extents and strides "
                     "of a PTX entry one by one"};
    if (spec.starts_with("multicast:"))
      return Failure{"--arg " + std::to_string(index + 1) +
                     ": 'multicast:' is for entries of Tile IR: the PTX machine has no multicast "
                     "memory"};
    if (TensorMapSpec::isOne(spec)) {
      Result<TensorMapSpec> map = TensorMapSpec::parse(spec);
      Result<ParameterType> type =
          map ? typeOfTensorMap(module.variables[number], *map) : map.failure();
      if (!type)
        return type.failure().at("--arg " + std::to_string(index + 1));
      types.push_back(*type);
      rewritten[index] = map->argument ? "0" : map->array;
      bound.tensorMaps.emplace(index, std::move(*map));
      continue;
    }
    Result<ParameterType> type = typeOf(module.variables[number], spec);
    if (!type && index < specs.size())
      return type.failure().at("--arg " + std::to_string(index + 1));
    types.push_back(type ? *type : ParameterType{true, Format::I8, ""});
  }
  Result<Arguments> arguments = bindArguments(types, rewritten);
  if (!arguments)
    return arguments.failure();
  bound.arguments = std::move(*arguments);
  for (const auto &[index, number] : llvm::enumerate(entry.parameters)) {
    const ptx::Variable &variable = module.variables[number];
    const BoundValue &value = bound.arguments.values[index];
    if (!value.array || bound.tensorMaps.count(index) ||
        isPointer(variable, *value.array, bound.arguments))
      continue;
    bound.byValue.insert(index);
    if (bound.arguments.arrays[*value.array].storage().bytes().size() != variable.bytes)
      return Failure{"--arg " + std::to_string(index + 1) + ": parameter '" +
                     std::string(variable.name) + "' has " + std::to_string(variable.bytes) +
                     " bytes, but the value has " +
                     std::to_string(bound.arguments.arrays[*value.array].storage().bytes().size())};
  }
  return bound;
}

/// Appends the value of a parameter, at its alignment.
static void appendParameter(std::vector<uint8_t> &bytes, const ptx::Variable &variable,
                            const void *value) {
  bytes.resize((bytes.size() + variable.alignment - 1) / variable.alignment * variable.alignment);
  const auto *first = static_cast<const uint8_t *>(value);
  bytes.insert(bytes.end(), first, first + variable.bytes);
}

/// Allocates memory of the machine and copies the array into it.
static ptx::Region &loadArray(ptx::Memory &memory, TypedArray &array, std::string name) {
  const auto from = array.storage().bytes();
  ptx::Region &region = memory.allocate(std::move(name), ptx::Space::Global, from.size());
  std::copy(from.begin(), from.end(), region.bytes.begin());
  if (array.isInitialised())
    region.defineAll();
  return region;
}

/// The region of an array in global memory; allocates it on the first call.
ptx::Region &PtxParameters::regionOf(size_t array, size_t parameter, ptx::Memory &memory) {
  ptx::Region *&region = regions[array];
  if (region)
    return *region;
  const ptx::Variable &variable = module->variables[entry->parameters[parameter]];
  region = &loadArray(memory, arguments.arrays[array],
                      "parameter " + std::to_string(parameter + 1) + " (" +
                          std::string(variable.name) + ")");
  return *region;
}

Result<ptx::TensorMapBytes> PtxParameters::tensorMapOf(size_t parameter) const {
  const TensorMapSpec &spec = tensorMaps.at(parameter);
  const std::string place = "--arg " + std::to_string(parameter + 1);
  const size_t of = spec.argument.value_or(parameter);
  if (of >= arguments.values.size() || !arguments.values[of].array ||
      !regions[*arguments.values[of].array])
    return Failure{place + ": argument " + std::to_string(of + 1) + " is no array"};
  const size_t array = *arguments.values[of].array;
  Result<ptx::TensorMap> map = spec.mapOf(arguments.arrays[array], regions[array]->base);
  if (!map)
    return map.failure().at(place);
  return encode(*map);
}

Result<std::vector<uint8_t>> PtxParameters::load(ptx::Memory &memory) {
  std::vector<uint8_t> bytes;
  regions.assign(arguments.arrays.size(), nullptr);
  for (size_t index = 0; index < entry->parameters.size(); ++index) {
    if (arguments.values[index].array && !byValue.contains(index))
      regionOf(*arguments.values[index].array, index, memory);
  }
  for (const auto &[index, number] : llvm::enumerate(entry->parameters)) {
    const ptx::Variable &variable = module->variables[number];
    const BoundValue &value = arguments.values[index];
    if (tensorMaps.count(index)) {
      Result<ptx::TensorMapBytes> map = tensorMapOf(index);
      if (!map)
        return map.failure();
      if (variable.bytes == ptx::tensorMapBytes) {
        appendParameter(bytes, variable, map->data());
        continue;
      }
      ptx::Region &region =
          memory.allocate("the tensor map of parameter " + std::to_string(index + 1),
                          ptx::Space::Global, ptx::tensorMapBytes);
      std::copy(map->begin(), map->end(), region.bytes.begin());
      region.defineAll();
      appendParameter(bytes, variable, &region.base);
    } else if (!value.array) {
      appendParameter(bytes, variable, &value.scalar.bits);
    } else if (byValue.contains(index)) {
      appendParameter(bytes, variable, arguments.arrays[*value.array].storage().bytes().data());
    } else {
      appendParameter(bytes, variable, &regions[*value.array]->base);
    }
  }
  return bytes;
}

void PtxParameters::unload() {
  for (const auto &[index, region] : llvm::enumerate(regions))
    if (region)
      std::copy(region->bytes.begin(), region->bytes.end(),
                arguments.arrays[index].storage().bytes().begin());
}
