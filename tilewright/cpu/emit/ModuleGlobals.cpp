// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ModuleGlobals.h.

#include "tilewright/cpu/emit/ModuleGlobals.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace LLVM = mlir::LLVM;

LLVM::LLVMFuncOp ModuleGlobals::hostFunction(llvm::StringRef name,
                                             llvm::ArrayRef<mlir::Type> arguments,
                                             mlir::Type result) {
  LLVM::LLVMFuncOp &function = hostFunctions[name];
  if (function)
    return function;
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  auto type = LLVM::LLVMFunctionType::get(result ? result : LLVM::LLVMVoidType::get(b.getContext()),
                                          arguments);
  return function = LLVM::LLVMFuncOp::create(b, name, type);
}

LLVM::GlobalOp ModuleGlobals::constantBytes(llvm::StringRef prefix, llvm::StringRef bytes,
                                            int64_t alignment) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                ("tw." + prefix + llvm::Twine(count++)).str(),
                                b.getStringAttr(bytes), alignment);
}

LLVM::GlobalOp ModuleGlobals::constantStruct(llvm::ArrayRef<Field> fields) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  mlir::Type word = b.getI64Type();
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  llvm::SmallVector<mlir::Type> types;
  for (const Field &field : fields)
    types.push_back(field.pointee ? pointer : word);
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  auto global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                       ("tw.site" + llvm::Twine(count++)).str(), mlir::Attribute(),
                                       /*alignment=*/8);
  b.createBlock(&global.getInitializer());
  Value value = LLVM::UndefOp::create(b, type);
  for (auto [i, field] : llvm::enumerate(fields)) {
    Value member = b.i64(field.number);
    if (field.pointee)
      member = LLVM::AddressOfOp::create(b, field.pointee);
    value = LLVM::InsertValueOp::create(b, value, member, int64_t(i));
  }
  LLVM::ReturnOp::create(b, value);
  return global;
}

Value ModuleGlobals::addressOfZero() {
  if (!zero)
    zero = constantBytes("zero", std::string(8, '\0'), 8);
  Value pointer = LLVM::AddressOfOp::create(b, zero);
  return LLVM::PtrToIntOp::create(b, b.getI64Type(), pointer);
}
