// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `iree_vector_ext`: layouts as attributes, and operations that assign them to vectors
// (layouts, 1 and 2).

#ifndef TILEWRIGHT_LAYOUT_DIALECT_DIALECT_TD
#define TILEWRIGHT_LAYOUT_DIALECT_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def VectorExt_Dialect : Dialect {
  let name = "iree_vector_ext";
  let cppNamespace = "::tilewright::layout";
  let summary = "Vectors that are distributed over the threads of a workgroup";
  let description = [{
    A vector is one value of a whole workgroup. Its layout defines which thread holds which
    of its elements. `to_layout` requests a layout, and distribution rewrites the program
    into the program of a single thread.
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
