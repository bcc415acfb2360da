// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#iree_vector_ext.nested_layout`: its text form, its verifier, and its interface, which is
// implemented with Rearrange.h and Movement.h.

#include "tilewright/layout/algebra/Movement.h"
#include "tilewright/layout/algebra/Rearrange.h"
#include "tilewright/layout/dialect/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

static SmallVector<int64_t> joined(ArrayRef<int64_t> head, ArrayRef<int64_t> tail) {
  SmallVector<int64_t> list(head);
  llvm::append_range(list, tail);
  return list;
}

// --- Storage (layouts, 1.3) -----------------------------------------------------------

/// A tile of 1 needs no stride. The lists can differ in length only in builds without asserts,
/// whose `get` does not verify.
static SmallVector<int64_t> normalizedStrides(ArrayRef<int64_t> tile, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> normalized(strides);
  for (auto [count, stride] : llvm::zip(tile, normalized))
    if (count == 1)
      stride = 0;
  return normalized;
}

namespace tilewright::layout::detail {

/// Strides are normalised before the key is looked up. Therefore the parser, the builders, `get`
/// and `getChecked`, with any kind of list, return the same attribute for equal layouts.
struct NestedLayoutAttrStorage : AttributeStorage {
  using List = ArrayRef<int64_t>;

  struct KeyTy {
    KeyTy(List subgroupTile, List batchTile, List outerTile, List threadTile, List elementTile,
          List subgroupStrides, List threadStrides)
        : subgroupTile(subgroupTile), batchTile(batchTile), outerTile(outerTile),
          threadTile(threadTile), elementTile(elementTile),
          subgroupStrides(normalizedStrides(subgroupTile, subgroupStrides)),
          threadStrides(normalizedStrides(threadTile, threadStrides)) {}

    std::tuple<List, List, List, List, List, List, List> lists() const {
      return {subgroupTile, batchTile,       outerTile,    threadTile,
              elementTile,  subgroupStrides, threadStrides};
    }

    List subgroupTile, batchTile, outerTile, threadTile, elementTile;
    SmallVector<int64_t> subgroupStrides, threadStrides;
  };

  NestedLayoutAttrStorage(AttributeStorageAllocator &allocator, const KeyTy &key)
      : subgroupTile(allocator.copyInto(key.subgroupTile)),
        batchTile(allocator.copyInto(key.batchTile)), outerTile(allocator.copyInto(key.outerTile)),
        threadTile(allocator.copyInto(key.threadTile)),
        elementTile(allocator.copyInto(key.elementTile)),
        subgroupStrides(allocator.copyInto(List(key.subgroupStrides))),
        threadStrides(allocator.copyInto(List(key.threadStrides))) {}

  static NestedLayoutAttrStorage *construct(AttributeStorageAllocator &allocator, KeyTy &&key) {
    return new (allocator.allocate<NestedLayoutAttrStorage>())
        NestedLayoutAttrStorage(allocator, key);
  }

  static llvm::hash_code hashKey(const KeyTy &key) { return llvm::hash_value(key.lists()); }

  bool operator==(const KeyTy &key) const {
    return key.lists() == std::tuple(subgroupTile, batchTile, outerTile, threadTile, elementTile,
                                     subgroupStrides, threadStrides);
  }

  List subgroupTile, batchTile, outerTile, threadTile, elementTile, subgroupStrides, threadStrides;
};

} // namespace tilewright::layout::detail

#include "tilewright/layout/dialect/AttributeInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tilewright/layout/dialect/Attributes.cpp.inc"

ArrayRef<int64_t> NestedLayoutAttr::getSubgroupTile() const { return getImpl()->subgroupTile; }
ArrayRef<int64_t> NestedLayoutAttr::getBatchTile() const { return getImpl()->batchTile; }
ArrayRef<int64_t> NestedLayoutAttr::getOuterTile() const { return getImpl()->outerTile; }
ArrayRef<int64_t> NestedLayoutAttr::getThreadTile() const { return getImpl()->threadTile; }
ArrayRef<int64_t> NestedLayoutAttr::getElementTile() const { return getImpl()->elementTile; }
ArrayRef<int64_t> NestedLayoutAttr::getSubgroupStrides() const {
  return getImpl()->subgroupStrides;
}
ArrayRef<int64_t> NestedLayoutAttr::getThreadStrides() const { return getImpl()->threadStrides; }

void VectorExtDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilewright/layout/dialect/Attributes.cpp.inc"
      >();
}

// --- Text (layouts, 1.2) --------------------------------------------------------------

/// The keywords, in the order in which they are printed.
static constexpr StringLiteral fieldNames[] = {
    "subgroup_tile", "batch_tile",       "outer_tile",     "thread_tile",
    "element_tile",  "subgroup_strides", "thread_strides",
};

static ParseResult parseField(AsmParser &parser, StringRef name, SmallVectorImpl<int64_t> &list) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

Attribute NestedLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> lists[std::size(fieldNames)];
  if (parser.parseLess())
    return {};
  for (auto [index, name] : llvm::enumerate(fieldNames))
    if ((index > 0 && parser.parseComma()) || parseField(parser, name, lists[index]))
      return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), lists[0], lists[1],
                    lists[2], lists[3], lists[4], lists[5], lists[6]);
}

void NestedLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<' << toText(getLayout()) << '>';
}

// --- Rules (layouts, 1.4) -------------------------------------------------------------

LogicalResult NestedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<int64_t> subgroupTile, ArrayRef<int64_t> batchTile,
                                       ArrayRef<int64_t> outerTile, ArrayRef<int64_t> threadTile,
                                       ArrayRef<int64_t> elementTile,
                                       ArrayRef<int64_t> subgroupStrides,
                                       ArrayRef<int64_t> threadStrides) {
  ArrayRef<int64_t> lists[] = {subgroupTile, batchTile,       outerTile,    threadTile,
                               elementTile,  subgroupStrides, threadStrides};
  for (auto [name, list] : llvm::zip_equal(fieldNames, lists))
    if (list.size() != subgroupTile.size())
      return emitError() << "all lists of a nested layout must have the same length, but "
                         << fieldNames[0] << " has " << subgroupTile.size() << " and " << name
                         << " has " << list.size();
  return success();
}

/// The product of a dimension's digits; none if it overflows.
static std::optional<int64_t> checkedExtent(const Dim &dim) {
  std::optional<int64_t> extent = 1;
  for (int64_t count : {dim.subgroups, dim.batches, dim.outers, dim.threads, dim.elements})
    extent = extent ? llvm::checkedMul(*extent, count) : std::nullopt;
  return extent;
}

LogicalResult NestedLayoutAttr::isValidLayout(ShapedType type, Location loc) const {
  if (!type.hasRank())
    return emitError(loc) << "a layout of rank " << getRank() << " needs a ranked type, not "
                          << type;
  if (type.getRank() != getRank())
    return emitError(loc) << "rank of the layout is " << getRank() << ", but rank of " << type
                          << " is " << type.getRank();
  const Layout layout = getLayout();
  for (auto [index, dim] : llvm::enumerate(layout.dims())) {
    int64_t actual = type.getDimSize(index);
    std::optional<int64_t> expected = checkedExtent(dim);
    if (ShapedType::isDynamic(actual) || expected == actual)
      continue;
    InFlightDiagnostic diag = emitError(loc)
                              << "shape [" << type.getShape() << "] does not match the layout "
                              << *this << " at dim " << index << ": expected ";
    if (expected)
      return diag << *expected << ", actual " << actual;
    return diag << "more than an int64 holds, actual " << actual;
  }
  return success();
}

// --- Arithmetic (layouts, 1.9) --------------------------------------------------------

Layout NestedLayoutAttr::getLayout() const {
  SmallVector<Dim, 4> dims;
  for (int64_t dim = 0; dim < getRank(); ++dim)
    dims.push_back({getSubgroupTile()[dim], getBatchTile()[dim], getOuterTile()[dim],
                    getThreadTile()[dim], getElementTile()[dim], getSubgroupStrides()[dim],
                    getThreadStrides()[dim]});
  return Layout(dims);
}

int64_t NestedLayoutAttr::getRank() const { return getBatchTile().size(); }

SmallVector<int64_t> NestedLayoutAttr::getUndistributedShape() const {
  return SmallVector<int64_t>(undistributedShape(getLayout()));
}

SmallVector<int64_t> NestedLayoutAttr::getDistributedShape() const {
  return SmallVector<int64_t>(distributedShape(getLayout()));
}

VectorLayoutInterface NestedLayoutAttr::permute(ArrayRef<int64_t> permutation) const {
  return get(getContext(), layout::permute(getLayout(), permutation));
}

VectorLayoutInterface NestedLayoutAttr::project(ArrayRef<bool> dropped) const {
  assert(int64_t(dropped.size()) == getRank() && "a flag per dimension");
  return get(getContext(), layout::project(getLayout(), dropped));
}

VectorLayoutInterface NestedLayoutAttr::apply(AffineMap map) const {
  assert(map.getNumDims() == getRank() && "a map from the dimensions of the layout");
  auto source = llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim ? std::optional(dim.getPosition()) : std::nullopt;
  });
  return get(getContext(), layout::apply(getLayout(), source));
}

static VectorLayoutInterface orNull(MLIRContext *context, const std::optional<Layout> &layout) {
  return layout ? NestedLayoutAttr::get(context, *layout) : VectorLayoutInterface();
}

VectorLayoutInterface NestedLayoutAttr::reshape(ArrayRef<int64_t> shape) const {
  return orNull(getContext(), layout::reshape(getLayout(), shape));
}

bool NestedLayoutAttr::needsSharedMemoryForConversion(VectorLayoutInterface target) const {
  auto nested = dyn_cast<NestedLayoutAttr>(target);
  return !nested || !differInRegistersOnly(getLayout(), nested.getLayout());
}

VectorLayoutInterface NestedLayoutAttr::getRecombinedLayout(ArrayRef<VectorLayoutInterface> layouts,
                                                            ArrayRef<AffineMap> maps,
                                                            AffineMap resultMap) {
  auto dimsOf = [](AffineMap map) {
    return llvm::map_to_vector<4>(
        map.getResults(), [](AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); });
  };
  SmallVector<IterationOperand, 2> operands;
  for (auto [attr, map] : llvm::zip_equal(layouts, maps)) {
    auto nested = dyn_cast_if_present<NestedLayoutAttr>(attr);
    if (!nested)
      return {};
    operands.push_back({nested.getLayout(), dimsOf(map)});
  }
  return orNull(resultMap.getContext(), recombine(operands, dimsOf(resultMap)));
}
