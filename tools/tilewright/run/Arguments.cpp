// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arguments.h. A Binder iterates over arguments and parameters together: each argument takes
// the parameters that it needs. Errors are prefixed with the argument's name.

#include "tools/tilewright/run/Arguments.h"

#include "tilewright/runtime/Npy.h"
#include "tools/WriteFile.h"
#include "tools/tilewright/arrays/ArrayValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Signals.h"

using namespace tilewright;
using namespace tilewright::tools;
using namespace llvm;
using numerics::Element;
using numerics::Format;
using support::Failure;
using support::Result;

namespace {

/// A parsed argument.
struct Spec {
  StringRef value;
  bool isExpanded = false;  // `array:`
  bool isMulticast = false; // `multicast:`
  std::optional<std::filesystem::path> file;
  std::optional<ArrayForm> printed;
};

class Binder {
public:
  Binder(ArrayRef<ParameterType> parameters, ArrayRef<std::string> specs)
      : parameters(parameters), specs(specs) {}

  Result<Arguments> bind();

private:
  Result<void> bindNext(StringRef text);
  Result<void> bindScalar(const Spec &spec);
  Result<void> bindArray(const Spec &spec);
  Result<void> bindExtentsAndStrides(const TypedArray &array);
  Result<void> bindNumber(const std::string &what, int64_t number);
  Result<void> addOutput(const Spec &spec);

  const ParameterType &next() const { return parameters[bound.values.size()]; }

  ArrayRef<ParameterType> parameters;
  ArrayRef<std::string> specs;
  Arguments bound;
  /// The argument being bound: its index from 0, and its name in messages.
  size_t argument = 0;
  std::string label;
  /// The canonical names of output files, each with the argument that writes it.
  std::vector<std::pair<std::filesystem::path, size_t>> targets;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parsing an argument
//===----------------------------------------------------------------------===//

/// Splits at commas outside brackets.
static SmallVector<StringRef> splitAtCommas(StringRef text) {
  SmallVector<StringRef> pieces;
  size_t start = 0;
  int depth = 0;
  for (const auto &[at, c] : enumerate(text)) {
    if (c == '[' || c == '(')
      ++depth;
    else if (c == ']' || c == ')')
      --depth;
    else if (c == ',' && depth <= 0) {
      pieces.push_back(text.slice(start, at));
      start = at + 1;
    }
  }
  pieces.push_back(text.drop_front(start));
  return pieces;
}

static Result<Spec> parseSpec(StringRef text) {
  const SmallVector<StringRef> pieces = splitAtCommas(text);
  Spec spec;
  spec.value = pieces.front().trim();
  spec.isExpanded = spec.value.consume_front("array:");
  spec.isMulticast = !spec.isExpanded && spec.value.consume_front("multicast:");
  if (spec.value.empty())
    return Failure{"expected a value, but found '" + text.str() + "'"};

  for (StringRef option : drop_begin(pieces)) {
    StringRef file = option;
    const bool isPrint = option == "print" || option == "print=bits";
    if (isPrint && !spec.printed)
      spec.printed = option == "print" ? ArrayForm::Values : ArrayForm::Bits;
    else if (file.consume_front("out=") && file.ends_with(".npy") && !spec.file)
      spec.file = file.str();
    else if (isPrint || (option.starts_with("out=") && spec.file))
      return Failure{"option '" + option.str() + "' is given twice"};
    else
      return Failure{"expected option out=FILE.npy, print or print=bits, but found '" +
                     option.str() + "'"};
  }
  return spec;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static std::string spell(const ParameterType &parameter) {
  const std::string element = numerics::info(parameter.format).spelling;
  return (parameter.name.empty() ? "" : parameter.name + ": ") +
         (parameter.isPointer ? "ptr<" + element + ">" : element);
}

static std::string spell(ArrayRef<ParameterType> parameters) {
  const auto spellOne = [](const ParameterType &parameter) { return spell(parameter); };
  return "(" + join(map_range(parameters, spellOne), ", ") + ")";
}

static std::string counted(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Result<Arguments> Binder::bind() {
  for (; argument < specs.size(); ++argument) {
    if (bound.values.size() == parameters.size())
      return Failure{"--arg " + std::to_string(argument + 1) + ": the entry takes " +
                     counted(parameters.size(), "parameter") + " " + spell(parameters) +
                     ", which " + counted(argument, "argument") + " bound already, but found '" +
                     specs[argument] + "'"};
    label = "--arg " + std::to_string(argument + 1) + " (" + spell(next()) + ")";
    if (Result<void> done = bindNext(specs[argument]); !done)
      return done.failure().at(label);
  }
  if (bound.values.size() < parameters.size())
    return Failure{"--arg " + std::to_string(argument + 1) + " is missing: the entry takes " +
                   counted(parameters.size(), "parameter") + " " + spell(parameters) + ", but " +
                   counted(argument, "argument") + " bound only " +
                   std::to_string(bound.values.size())};
  return std::move(bound);
}

Result<void> Binder::bindNext(StringRef text) {
  Result<Spec> spec = parseSpec(text);
  if (!spec)
    return spec.failure();
  if (next().isPointer || spec->isExpanded || spec->isMulticast)
    return bindArray(*spec);
  return bindScalar(*spec);
}

Result<void> Binder::bindScalar(const Spec &spec) {
  const std::string type = numerics::info(next().format).spelling;
  if (isArrayValue(spec.value))
    return Failure{"expected one value of " + type + ", but found the array '" + spec.value.str() +
                   "'"};
  if (spec.file || spec.printed)
    return Failure{"options out= and print need an array, but the parameter is a scalar"};
  Result<Element> element = parseValue(next().format, spec.value);
  if (!element)
    return element.failure();
  bound.values.push_back({.array = std::nullopt, .isMulticast = false, .scalar = *element});
  return {};
}

/// The first extent is the number of copies, so it must exist and not be 0. Copies must begin at a
/// byte.
static Result<void> verifyMulticast(const TypedArray &array) {
  const std::string shape = "its shape is " + runtime::toString(array.shape());
  if (array.shape().empty() || array.shape().front() == 0)
    return Failure{"'multicast:' takes an array whose first extent is the number of copies, at "
                   "least one, but " +
                   shape};
  if (numerics::info(array.format()).storageBits % 8)
    return Failure{"multicast memory of " + std::string(numerics::info(array.format()).spelling) +
                   " is not supported: two elements share a byte"};
  return {};
}

Result<void> Binder::bindArray(const Spec &spec) {
  if (!next().isPointer)
    return Failure{spec.isMulticast
                       ? "'multicast:' binds a pointer, but the parameter is a scalar"
                       : "'array:' binds a pointer first, but the parameter is a scalar"};
  Result<TypedArray> array = makeArray(spec.value, next().format);
  if (!array)
    return array.failure();
  if (spec.isMulticast)
    if (Result<void> fits = verifyMulticast(*array); !fits)
      return fits;
  bound.values.push_back({.array = bound.arrays.size(), .isMulticast = spec.isMulticast});
  if (Result<void> output = addOutput(spec); !output)
    return output;
  bound.arrays.push_back(std::move(*array));
  return spec.isExpanded ? bindExtentsAndStrides(bound.arrays.back()) : Result<void>();
}

/// Binds the parameters that follow the pointer of an `array:`.
Result<void> Binder::bindExtentsAndStrides(const TypedArray &array) {
  const size_t rank = array.shape().size();
  const size_t left = parameters.size() - bound.values.size();
  if (left < 2 * rank)
    return Failure{"an array of rank " + std::to_string(rank) + " binds " +
                   counted(1 + 2 * rank, "parameter") + " (pointer, extents, strides), but only " +
                   std::to_string(1 + left) + " of " + spell(parameters) + " are left"};
  for (const auto &[dim, extent] : enumerate(array.shape()))
    if (Result<void> done = bindNumber("extent " + std::to_string(dim), extent); !done)
      return done;
  for (const auto &[dim, stride] : enumerate(runtime::rowMajorStrides(array.shape())))
    if (Result<void> done = bindNumber("stride " + std::to_string(dim), stride); !done)
      return done;
  return {};
}

Result<void> Binder::bindNumber(const std::string &what, int64_t number) {
  const ParameterType &parameter = next();
  const std::string place = "parameter " + std::to_string(bound.values.size() + 1) + " (" +
                            spell(parameter) + ") takes " + what + " of the array";
  if (parameter.isPointer || (parameter.format != Format::I32 && parameter.format != Format::I64))
    return Failure{place + " and must be i32 or i64"};
  // Kernels read extents and strides as signed integers.
  const Element element = Element::integer(parameter.format, number);
  if (element.asSigned() != number)
    return Failure{place + ", but " + std::to_string(number) + " does not fit"};
  bound.values.push_back({.array = std::nullopt, .isMulticast = false, .scalar = element});
  return {};
}

Result<void> Binder::addOutput(const Spec &spec) {
  if (!spec.file && !spec.printed)
    return {};
  if (spec.file) {
    Result<std::filesystem::path> target = runtime::outputTarget(*spec.file);
    if (!target)
      return target.failure();
    for (const auto &[taken, by] : targets)
      if (taken == *target)
        return Failure{"out=" + spec.file->string() + " is already the output of --arg " +
                       std::to_string(by + 1)};
    targets.emplace_back(std::move(*target), argument);
  }
  bound.outputs.push_back({*bound.values.back().array, label, spec.file, spec.printed});
  return {};
}

Result<Arguments> tools::bindArguments(ArrayRef<ParameterType> parameters,
                                       ArrayRef<std::string> specs) {
  return Binder(parameters, specs).bind();
}

std::vector<NamedOutput> tools::outputsOf(const Arguments &arguments) {
  std::vector<NamedOutput> outputs;
  for (const Output &output : arguments.outputs)
    if (output.file)
      outputs.push_back({output.label, output.file->string()});
  return outputs;
}

//===----------------------------------------------------------------------===//
// After the launch
//===----------------------------------------------------------------------===//

/// NumPy requires booleans to be 0 or 1. In a kernel's memory, every byte but 0 means true (types,
/// 2.3).
static void normalizeBooleans(runtime::Array &array) {
  if (array.dtype().kind == 'b')
    for (uint8_t &byte : array.bytes())
      byte = byte != 0;
}

namespace {
/// Removes files if a signal ends the program while this object lives.
class RemovedOnSignals {
public:
  void add(const std::filesystem::path &file) {
    names.push_back(file.string());
    sys::RemoveFileOnSignal(names.back());
  }
  ~RemovedOnSignals() {
    for (const std::string &name : names)
      sys::DontRemoveFileOnSignal(name);
  }

private:
  std::vector<std::string> names;
};
} // namespace

static Result<std::vector<runtime::StagedNpy>> stageFiles(Arguments &arguments,
                                                          RemovedOnSignals &temporaries) {
  std::vector<runtime::StagedNpy> staged;
  for (const Output &output : arguments.outputs) {
    if (!output.file)
      continue;
    runtime::Array &array = arguments.arrays[output.array].storage();
    normalizeBooleans(array);
    Result<runtime::StagedNpy> file = runtime::StagedNpy::stage(
        *output.file, array, [&](const auto &name) { temporaries.add(name); });
    if (!file)
      return file.failure().at(output.label);
    staged.push_back(std::move(*file));
  }
  return staged;
}

static void printArrays(const Arguments &arguments, raw_ostream &os) {
  for (const Output &output : arguments.outputs)
    if (output.printed) {
      const TypedArray &array = arguments.arrays[output.array];
      os << output.label << ", shape " << runtime::toString(array.shape()) << '\n';
      print(os, array, *output.printed);
    }
}

Result<void> tools::writeOutputs(Arguments &arguments, raw_ostream &os) {
  RemovedOnSignals temporaries; // must outlive the staged files
  Result<std::vector<runtime::StagedNpy>> staged = stageFiles(arguments, temporaries);
  if (!staged)
    return staged.failure();
  // Printing may fail and cannot be undone, so files are committed last.
  printArrays(arguments, os);
  if (Result<void> printed = flush(os, "-"); !printed)
    return printed;
  for (runtime::StagedNpy &file : *staged)
    if (Result<void> committed = file.commit(); !committed)
      return committed;
  return {};
}

/// A part of an array that begins at this byte.
static Result<api::Array> forLibrary(TypedArray &typed, size_t begin, ArrayRef<int64_t> shape) {
  Result<api::Array> array =
      api::Array::create(typed.storage().bytes().data() + begin, typed.format(), shape);
  if (array)
    array->isInitialised = typed.isInitialised();
  return array;
}

static Result<api::Argument> multicastForLibrary(TypedArray &typed) {
  const size_t count = typed.shape().front(), size = typed.storage().bytes().size() / count;
  api::Multicast multicast;
  for (size_t i = 0; i < count; ++i) {
    Result<api::Array> copy = ::forLibrary(typed, i * size, typed.shape().drop_front());
    if (!copy)
      return copy.failure();
    multicast.copies.push_back(*std::move(copy));
  }
  return api::Argument(std::move(multicast));
}

static Result<api::Argument> arrayForLibrary(TypedArray &typed) {
  Result<api::Array> array = ::forLibrary(typed, 0, typed.shape());
  if (!array)
    return array.failure();
  return api::Argument(*std::move(array));
}

Result<std::vector<api::Argument>> Arguments::forLibrary() {
  std::vector<api::Argument> all;
  for (const BoundValue &value : values) {
    if (!value.array) {
      all.push_back(value.scalar);
      continue;
    }
    TypedArray &typed = arrays[*value.array];
    Result<api::Argument> argument =
        value.isMulticast ? multicastForLibrary(typed) : arrayForLibrary(typed);
    if (!argument)
      return argument.failure();
    all.push_back(*std::move(argument));
  }
  return all;
}
