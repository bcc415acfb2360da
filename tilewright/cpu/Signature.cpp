// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Signature.h.

#include "tilewright/cpu/Signature.h"

using namespace tilewright;
using cpu::Parameter;
using cpu::Signature;
using numerics::Format;
using support::Failure;
using support::Result;

static const char *cTypeOf(Format format) {
  switch (format) {
  case Format::I8:
    return "int8_t";
  case Format::I16:
    return "int16_t";
  case Format::I32:
    return "int32_t";
  case Format::I64:
    return "int64_t";
  case Format::F16:
  case Format::BF16:
    return "uint16_t";
  case Format::TF32:
  case Format::F32:
    return "float";
  case Format::F64:
    return "double";
  case Format::Pointer:
    return "void *";
  default:
    return "uint8_t";
  }
}

std::string Parameter::cType() const {
  if (!isPointer)
    return format == Format::I1 ? "bool" : cTypeOf(format);
  std::string pointee = cTypeOf(format);
  return pointee + (pointee.back() == '*' ? "*" : " *");
}

template <typename Printable> static std::string asText(Printable printable) {
  std::string text;
  llvm::raw_string_ostream(text) << printable;
  return text;
}

static std::optional<Parameter> parameterOf(mlir::Type type) {
  auto tileType = llvm::dyn_cast<tile::TileType>(type);
  if (!tileType || tileType.getRank() != 0)
    return std::nullopt;
  mlir::Type element = tileType.getElementType();
  auto pointer = llvm::dyn_cast<tile::PointerType>(element);
  std::optional<Format> format = tile::formatOf(pointer ? pointer.getPointeeType() : element);
  if (!format)
    return std::nullopt;
  return Parameter{*format, bool(pointer)};
}

Result<Signature> cpu::signatureOf(tile::EntryOp entry) {
  Signature signature{entry.getSymName().str(), {}, "@" + entry.getSymName().str() + "("};
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    std::optional<Parameter> parameter = parameterOf(type);
    if (!parameter)
      return Failure{"entry @" + signature.name + ": parameter " + std::to_string(index + 1) +
                     " has type " + asText(type) + ", which cannot be passed"};
    signature.parameters.push_back(*parameter);
    signature.text += (index ? ", " : "") + asText(type);
  }
  signature.text += ")";
  return signature;
}

Result<std::vector<Signature>> cpu::signaturesOf(tile::ModuleOp module) {
  std::vector<Signature> signatures;
  for (auto entry : module.getBody().getOps<tile::EntryOp>()) {
    Result<Signature> signature = signatureOf(entry);
    if (!signature)
      return signature.failure();
    signatures.push_back(*signature);
  }
  return signatures;
}
