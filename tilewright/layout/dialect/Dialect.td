// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `iree_vector_ext`: layouts as attributes, and the operations that say
// which layout a vector has (layouts, 1 and 2).

#ifndef TILEWRIGHT_LAYOUT_DIALECT_DIALECT_TD
#define TILEWRIGHT_LAYOUT_DIALECT_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def VectorExt_Dialect : Dialect {
  let name = "iree_vector_ext";
  let cppNamespace = "::tilewright::layout";
  let summary = "Vectors that are spread over the threads of a workgroup";
  let description = [{
    A vector is one value of a whole workgroup. A layout says which thread holds which
    of its elements; `to_layout` asks for one, and distribution rewrites the program
    into what a single thread does.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::vector::VectorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

class VectorExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<VectorExt_Dialect, mnemonic, traits>;

#endif // TILEWRIGHT_LAYOUT_DIALECT_DIALECT_TD
