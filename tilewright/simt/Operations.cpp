// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/simt/Operations.h"

using namespace tilewright;
using namespace tilewright::simt;

static Table makeTable() {
  Table table;
  addAffine(table);
  addArith(table);
  addControl(table);
  addGpu(table);
  addMath(table);
  addMatrix(table);
  addMemRefs(table);
  addMoves(table);
  addReductions(table);
  addTransfers(table);
  addVectors(table);
  addViews(table);
  return table;
}

const Table &simt::operations() {
  static const Table table = makeTable();
  return table;
}

const Meaning *simt::meaningOf(mlir::OperationName name) {
  return operations().find(name.getStringRef());
}
