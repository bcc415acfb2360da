// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations, assume predicates, optimization hints and debug information (types,
// 7 to 10).

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_ATTRIBUTES_H
#define TILEWRIGHT_TILE_ATTRIBUTES_ATTRIBUTES_H

#include "tilewright/tile/Dialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Location.h"

#include "tilewright/tile/attributes/Enums.h.inc"

namespace tilewright::tile {

class DISubprogramAttr;

/// A lexical block or a subprogram: the scope of a source position.
class DILocalScopeAttr : public mlir::Attribute {
public:
  using Attribute::Attribute;
  static bool classof(mlir::Attribute attr);

  /// The subprogram that contains this scope.
  DISubprogramAttr getSubprogram();
};

} // namespace tilewright::tile

#include "tilewright/tile/attributes/AttributeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tilewright/tile/attributes/Attributes.h.inc"

namespace tilewright::tile {

/// The debug location in a location, found by the rules of types, 10.2: the caller of a call site,
/// the first of fused locations that has one, the child of a name; else null.
DILocAttr effectiveDebugLoc(mlir::Location loc);

/// Checks hint keys and values for an operation according to the dialect's HintMode.
llvm::LogicalResult verifyHints(mlir::Operation *op, OptimizationHintsAttr hints);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_ATTRIBUTES_H
