// Layouts spread from to_layout (layouts, 3.3.1): what each operation says of its results and
// wants of its operands, and what happens where two layouts meet.
// RUN: tilewright-opt --tw-propagate-layouts=annotate --split-input-file %s | FileCheck %s

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [4, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>

// CHECK-DAG: #[[$ROWS:.*]] = #iree_vector_ext.nested_layout<{{.*}}batch_tile = [2, 1], {{.*}}thread_tile = [8, 4],
// CHECK-DAG: #[[$COLUMNS:.*]] = #iree_vector_ext.nested_layout<{{.*}}batch_tile = [1, 2], {{.*}}thread_tile = [4, 8],

// Layouts spread at the same pace, so the nearest wins: %b is next to #columns; of two that are
// as near, as for %d, it is the first. The other operand is converted, for this use only.
// CHECK-LABEL: func @conflict(
// CHECK-SAME: %[[X:.*]]: vector<16x16xf32>, %[[Y:.*]]: vector<16x16xf32>)
// CHECK-NEXT: %[[A:.*]] = iree_vector_ext.to_layout %[[X]] to layout(#[[$ROWS]])
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] {iree_vector_ext.layouts = [#[[$ROWS]]]}
// CHECK-NEXT: %[[C:.*]] = iree_vector_ext.to_layout %[[Y]] to layout(#[[$COLUMNS]])
// CHECK-NEXT: %[[E:.*]] = iree_vector_ext.to_layout %[[N]] to layout(#[[$COLUMNS]])
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[E]], %[[C]] {iree_vector_ext.layouts = [#[[$COLUMNS]]]}
// CHECK-NEXT: %[[F:.*]] = iree_vector_ext.to_layout %[[C]] to layout(#[[$ROWS]])
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[A]], %[[F]] {iree_vector_ext.layouts = [#[[$ROWS]]]}
// CHECK-NEXT: return %[[B]], %[[D]]
func.func @conflict(%x: vector<16x16xf32>, %y: vector<16x16xf32>) -> (vector<16x16xf32>, vector<16x16xf32>) {
  %a = iree_vector_ext.to_layout %x to layout(#rows) : vector<16x16xf32>
  %n = arith.negf %a : vector<16x16xf32>
  %c = iree_vector_ext.to_layout %y to layout(#columns) : vector<16x16xf32>
  %b = arith.mulf %n, %c : vector<16x16xf32>
  %d = arith.addf %a, %c : vector<16x16xf32>
  return %b, %d : vector<16x16xf32>, vector<16x16xf32>
}

// Constants, and what is made of them in a few operations, are made again; not so what is read.
// CHECK-LABEL: func @recompute(
// CHECK: %[[ONE:.*]] = arith.constant {iree_vector_ext.layouts = [#[[$ROWS]]]} dense<1.0
// CHECK: %[[A:.*]] = iree_vector_ext.to_layout
// CHECK-NEXT: %[[ANOTHER:.*]] = arith.constant {iree_vector_ext.layouts = [#[[$COLUMNS]]]} dense<1.0
// CHECK-NEXT: arith.addf %[[A]], %[[ANOTHER]] {iree_vector_ext.layouts = [#[[$COLUMNS]]]}
// CHECK-NEXT: %[[B:.*]] = iree_vector_ext.to_layout
// CHECK-NEXT: arith.addf %[[B]], %[[ONE]] {iree_vector_ext.layouts = [#[[$ROWS]]]}
// CHECK-NOT: to_layout
func.func @recompute(%x: vector<16x16xf32>, %y: vector<16x16xf32>) -> vector<16x16xf32> {
  %one = arith.constant dense<1.0> : vector<16x16xf32>
  %a = iree_vector_ext.to_layout %x to layout(#columns) : vector<16x16xf32>
  %0 = arith.addf %a, %one : vector<16x16xf32>
  %b = iree_vector_ext.to_layout %y to layout(#rows) : vector<16x16xf32>
  %1 = arith.addf %b, %one : vector<16x16xf32>
  return %1 : vector<16x16xf32>
}

// A chain: a step, repeated and compared. Of the chain made again each operation has its layout.
// CHECK-LABEL: func @recompute_chain(
// CHECK: %[[FIRST:.*]] = arith.cmpi {{.*}}layouts = [#[[$ROWS]]]
// CHECK-COUNT-2: to_layout
// CHECK-NEXT: %[[STEP:.*]] = vector.step
// CHECK-NEXT: %[[REPEATED:.*]] = vector.broadcast %[[STEP]] {iree_vector_ext.layouts = [#[[$COLUMNS]]]}
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi ult, %[[REPEATED]], %[[REPEATED]] {iree_vector_ext.layouts = [#[[$COLUMNS]]]}
// CHECK-NEXT: arith.select %[[LESS]], %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$COLUMNS]]]}
// CHECK-NEXT: arith.select %[[FIRST]], %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$ROWS]]]}
func.func @recompute_chain(%x: vector<16x16xf32>, %y: vector<16x16xf32>) -> (vector<16x16xf32>, vector<16x16xf32>) {
  %step = vector.step : vector<16xindex>
  %repeated = vector.broadcast %step : vector<16xindex> to vector<16x16xindex>
  %less = arith.cmpi ult, %repeated, %repeated : vector<16x16xindex>
  %a = iree_vector_ext.to_layout %x to layout(#rows) : vector<16x16xf32>
  %b = iree_vector_ext.to_layout %y to layout(#columns) : vector<16x16xf32>
  %0 = arith.select %less, %b, %b : vector<16x16xi1>, vector<16x16xf32>
  %1 = arith.select %less, %a, %a : vector<16x16xi1>, vector<16x16xf32>
  return %0, %1 : vector<16x16xf32>, vector<16x16xf32>
}

// The layout of an initial value is that of the loop; what is yielded is converted.
// CHECK-LABEL: func @loop(
// CHECK: %[[INIT:.*]] = iree_vector_ext.to_layout %{{.*}} to layout(#[[$ROWS]])
// CHECK: scf.for {{.*}} iter_args(%[[ARG:.*]] = %[[INIT]])
// CHECK: %[[OTHER:.*]] = iree_vector_ext.to_layout %{{.*}} to layout(#[[$COLUMNS]])
// CHECK: %[[BACK:.*]] = iree_vector_ext.to_layout %[[OTHER]] to layout(#[[$ROWS]])
// CHECK-NEXT: scf.yield %[[BACK]]
// CHECK: } {iree_vector_ext.layouts = [#[[$ROWS]]]}
func.func @loop(%x: vector<16x16xf32>, %n: index) -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = iree_vector_ext.to_layout %x to layout(#rows) : vector<16x16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %init) -> vector<16x16xf32> {
    %0 = arith.negf %v : vector<16x16xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#columns) : vector<16x16xf32>
    scf.yield %1 : vector<16x16xf32>
  }
  return %r : vector<16x16xf32>
}

// Only the body asks: the initial value and what is yielded get the layout too.
// CHECK-LABEL: func @loop_from_inside(
// CHECK: %[[INIT:.*]] = arith.constant {iree_vector_ext.layouts = [#[[$ROWS]]]} dense<0.0
// CHECK: scf.for {{.*}} iter_args(%[[ARG:.*]] = %[[INIT]])
// CHECK: vector.transfer_read {{.*}}layouts = [#[[$ROWS]]]
// CHECK: scf.yield
// CHECK: } {iree_vector_ext.layouts = [#[[$ROWS]]]}
// CHECK-NOT: to_layout
func.func @loop_from_inside(%src: memref<16x16xf32>, %n: index) -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %init = arith.constant dense<0.0> : vector<16x16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %init) -> vector<16x16xf32> {
    %0 = iree_vector_ext.to_layout %v to layout(#rows) : vector<16x16xf32>
    %1 = vector.transfer_read %src[%c0, %c0], %pad : memref<16x16xf32>, vector<16x16xf32>
    scf.yield %1 : vector<16x16xf32>
  }
  return %r : vector<16x16xf32>
}

// Both branches give the result its layout, the second after a conversion.
// CHECK-LABEL: func @branches(
// CHECK: scf.if
// CHECK: %[[A:.*]] = iree_vector_ext.to_layout %{{.*}} to layout(#[[$ROWS]])
// CHECK-NEXT: scf.yield %[[A]]
// CHECK: %[[B:.*]] = iree_vector_ext.to_layout %{{.*}} to layout(#[[$COLUMNS]])
// CHECK-NEXT: %[[C:.*]] = iree_vector_ext.to_layout %[[B]] to layout(#[[$ROWS]])
// CHECK-NEXT: scf.yield %[[C]]
// CHECK: {iree_vector_ext.layouts = [#[[$ROWS]]]}
func.func @branches(%x: vector<16x16xf32>, %condition: i1) -> vector<16x16xf32> {
  %r = scf.if %condition -> vector<16x16xf32> {
    %0 = iree_vector_ext.to_layout %x to layout(#rows) : vector<16x16xf32>
    scf.yield %0 : vector<16x16xf32>
  } else {
    %1 = iree_vector_ext.to_layout %x to layout(#columns) : vector<16x16xf32>
    scf.yield %1 : vector<16x16xf32>
  }
  return %r : vector<16x16xf32>
}

// What goes through shared memory does not ask its input for anything; a change of layout is
// its own conversion.
// CHECK-LABEL: func @conversions(
// CHECK-NEXT: %[[A:.*]] = math.absf %{{.*}} : vector<16x16xf32>
// CHECK-NEXT: iree_vector_ext.to_layout %[[A]] to layout(#[[$ROWS]]) {{.*}}shared_memory_conversion
// CHECK-NEXT: %[[B:.*]] = math.absf %{{.*}} {iree_vector_ext.layouts = [#[[$ROWS]]]}
// CHECK-NEXT: %[[C:.*]] = iree_vector_ext.to_layout %[[B]] to layout(#[[$ROWS]])
// CHECK-NEXT: iree_vector_ext.to_layout %[[C]] to layout(#[[$COLUMNS]])
// CHECK-NEXT: return
func.func @conversions(%x: vector<16x16xf32>, %y: vector<16x16xf32>) {
  %a = math.absf %x : vector<16x16xf32>
  %0 = iree_vector_ext.to_layout %a to layout(#rows) {shared_memory_conversion} : vector<16x16xf32>
  %b = math.absf %y : vector<16x16xf32>
  %1 = iree_vector_ext.to_layout %b to layout(#rows) : vector<16x16xf32>
  %2 = iree_vector_ext.to_layout %1 to layout(#columns) : vector<16x16xf32>
  return
}

// Without a layout to start from, there is nothing to do.
// CHECK-LABEL: func @nothing(
// CHECK-NOT: layouts
// CHECK: return
func.func @nothing(%x: vector<16x16xf32>, %y: f32) -> vector<16x16xf32> {
  %0 = arith.addf %x, %x : vector<16x16xf32>
  %1 = vector.broadcast %y : f32 to vector<16x16xf32>
  %2 = arith.addf %0, %1 : vector<16x16xf32>
  return %2 : vector<16x16xf32>
}

// -----

#layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [3, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [8, 1]>

// CHECK-DAG: #[[$ALL:.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [3, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 4], subgroup_strides = [1, 0], thread_strides = [8, 1]>
// CHECK-DAG: #[[$SWAPPED:.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 3], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [4, 1], subgroup_strides = [0, 1], thread_strides = [1, 8]>
// CHECK-DAG: #[[$DIM0:.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [2], batch_tile = [3], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [1], thread_strides = [8]>
// CHECK-DAG: #[[$DIM1:.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
// CHECK-DAG: #[[$SPLIT:.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1, 1], batch_tile = [3, 1, 1], outer_tile = [1, 1, 1], thread_tile = [4, 8, 1], element_tile = [1, 1, 4], subgroup_strides = [1, 0, 0], thread_strides = [8, 1, 0]>

// Transposed and cast forward, broadcast and transposed backward.
// CHECK-LABEL: func @dimensions(
// CHECK-NEXT: %[[R:.*]] = vector.transfer_read {{.*}}layouts = [#[[$DIM0]]]
// CHECK-NEXT: %[[B:.*]] = vector.broadcast %[[R]] {iree_vector_ext.layouts = [#[[$SWAPPED]]]}
// CHECK-NEXT: %[[T:.*]] = vector.transpose %[[B]], [1, 0] {iree_vector_ext.layouts = [#[[$ALL]]]}
// CHECK-NEXT: %[[A:.*]] = iree_vector_ext.to_layout %[[T]]
// CHECK-NEXT: vector.transpose %[[A]], [1, 0] {iree_vector_ext.layouts = [#[[$SWAPPED]]]}
// CHECK-NEXT: vector.shape_cast %[[A]] {iree_vector_ext.layouts = [#[[$SPLIT]]]}
// CHECK-NEXT: vector.multi_reduction <add>, %[[A]], %{{.*}} {iree_vector_ext.layouts = [#[[$DIM1]]]} [0]
func.func @dimensions(%src: memref<24xf32>, %i: index, %pad: f32, %acc: vector<32xf32>) {
  %r = vector.transfer_read %src[%i], %pad : memref<24xf32>, vector<24xf32>
  %b = vector.broadcast %r : vector<24xf32> to vector<32x24xf32>
  %t = vector.transpose %b, [1, 0] : vector<32x24xf32> to vector<24x32xf32>
  %a = iree_vector_ext.to_layout %t to layout(#layout) : vector<24x32xf32>
  %0 = vector.transpose %a, [1, 0] : vector<24x32xf32> to vector<32x24xf32>
  %1 = vector.shape_cast %a : vector<24x32xf32> to vector<24x8x4xf32>
  %2 = vector.multi_reduction <add>, %a, %acc [0] : vector<24x32xf32> to vector<32xf32>
  return
}

// Masks and index vectors have the dimensions of memory.
// CHECK-LABEL: func @memory(
// CHECK-NEXT: %[[M0:.*]] = vector.create_mask %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$SWAPPED]]]} : vector<32x24xi1>
// CHECK-NEXT: %[[R:.*]] = vector.transfer_read {{.*}} %[[M0]] {{.*}}layouts = [#[[$ALL]]]
// CHECK-NEXT: to_layout
// CHECK-NEXT: %[[M1:.*]] = vector.create_mask %{{.*}} {iree_vector_ext.layouts = [#[[$DIM0]]]} : vector<24xi1>
// CHECK-NEXT: vector.transfer_read {{.*}} %[[M1]] {{.*}}layouts = [#[[$ALL]]]
// CHECK-NEXT: to_layout
// CHECK-NEXT: %[[X:.*]] = arith.addi %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$DIM1]]]} : vector<32xindex>
// CHECK-NEXT: transfer_gather {{.*}}[%[[X]] : vector<32xindex>, None]{{.*}}layouts = [#[[$ALL]]]
// CHECK-NEXT: to_layout
// CHECK-NEXT: %[[M2:.*]] = vector.create_mask %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$SWAPPED]]]} : vector<32x24xi1>
// CHECK-NEXT: vector.transfer_write %{{.*}}, %{{.*}}, %[[M2]]
func.func @memory(%src: memref<?x?xf32>, %i: index, %pad: f32, %x: vector<32xindex>) {
  %m0 = vector.create_mask %i, %i : vector<32x24xi1>
  %r0 = vector.transfer_read %src[%i, %i], %pad, %m0 {permutation_map = affine_map<(i, j) -> (j, i)>}
          : memref<?x?xf32>, vector<24x32xf32>
  %0 = iree_vector_ext.to_layout %r0 to layout(#layout) : vector<24x32xf32>
  %m1 = vector.create_mask %i : vector<24xi1>
  %r1 = vector.transfer_read %src[%i, %i], %pad, %m1 {in_bounds = [false, true], permutation_map = affine_map<(i, j) -> (j, 0)>}
          : memref<?x?xf32>, vector<24x32xf32>
  %1 = iree_vector_ext.to_layout %r1 to layout(#layout) : vector<24x32xf32>
  %x2 = arith.addi %x, %x : vector<32xindex>
  %r2 = iree_vector_ext.transfer_gather %src[%i, %i][%x2 : vector<32xindex>, None], %pad
          {indexed_maps = [affine_map<(i, j) -> (i)>], permutation_map = affine_map<(i, j) -> (j, i)>}
          : memref<?x?xf32>, vector<24x32xf32>
  %2 = iree_vector_ext.to_layout %r2 to layout(#layout) : vector<24x32xf32>
  %m2 = vector.create_mask %i, %i : vector<32x24xi1>
  vector.transfer_write %2, %src[%i, %i], %m2 {permutation_map = affine_map<(i, j) -> (j, i)>}
          : vector<24x32xf32>, memref<?x?xf32>
  return
}

// The mask around a reduction covers what is reduced; a conversion for the operation inside
// stands before the mask.
// CHECK-LABEL: func @mask(
// CHECK: %[[M:.*]] = vector.create_mask {{.*}}layouts = [#[[$ALL]]]
// CHECK-NEXT: to_layout
// CHECK-NEXT: %[[A:.*]] = iree_vector_ext.to_layout %{{.*}} : vector<32xf32>
// CHECK-NEXT: %[[C:.*]] = iree_vector_ext.to_layout %[[A]] to layout(#[[$DIM1]])
// CHECK-NEXT: vector.mask %[[M]] { vector.multi_reduction <add>, %{{.*}}, %[[C]] {{.*}}layouts = [#[[$DIM1]]]} [0] {{.*}} } {iree_vector_ext.layouts = [#[[$DIM1]]]}
func.func @mask(%x: vector<24x32xf32>, %y: vector<32xf32>, %i: index) -> vector<32xf32> {
  %m = vector.create_mask %i, %i : vector<24x32xi1>
  %a = iree_vector_ext.to_layout %x to layout(#layout) : vector<24x32xf32>
  %acc = iree_vector_ext.to_layout %y to layout(#iree_vector_ext.nested_layout<
    subgroup_tile = [2], batch_tile = [4], outer_tile = [1], thread_tile = [4], element_tile = [1],
    subgroup_strides = [1], thread_strides = [8]>) : vector<32xf32>
  %r = vector.mask %m { vector.multi_reduction <add>, %a, %acc [0] : vector<24x32xf32> to vector<32xf32> }
         : vector<24x32xi1> -> vector<32xf32>
  return %r : vector<32xf32>
}

// What stands for masked elements has the layout of the others; a mask can be empty.
// CHECK-LABEL: func @passthru(
// CHECK-NEXT: %[[P:.*]] = math.absf %{{.*}} {iree_vector_ext.layouts = [#[[$ALL]]]}
// CHECK-NEXT: %[[M:.*]] = vector.create_mask %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$SWAPPED]]]} : vector<32x24xi1>
// CHECK-NEXT: vector.mask %[[M]], %[[P]] { vector.transfer_read {{.*}}layouts = [#[[$ALL]]]
// CHECK-NEXT: to_layout
// CHECK-NEXT: vector.mask %[[M]] { vector.yield }
func.func @passthru(%src: memref<?x?xf32>, %x: vector<24x32xf32>, %i: index, %pad: f32) {
  %p = math.absf %x : vector<24x32xf32>
  %m = vector.create_mask %i, %i : vector<32x24xi1>
  %r = vector.mask %m, %p {
    vector.transfer_read %src[%i, %i], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>}
      : memref<?x?xf32>, vector<24x32xf32>
  } : vector<32x24xi1> -> vector<24x32xf32>
  %0 = iree_vector_ext.to_layout %r to layout(#layout) : vector<24x32xf32>
  vector.mask %m { } : vector<32x24xi1>
  return
}

// Elements that are vectors: the index vector goes along the first dimension.
// CHECK-LABEL: func @vector_elements(
// CHECK-NEXT: %[[X:.*]] = arith.addi %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$DIM0]]]}
// CHECK-NEXT: transfer_gather %{{.*}}[%[[X]] : vector<24xindex>]{{.*}}layouts = [#[[$ALL]]]
func.func @vector_elements(%src: memref<?xvector<32xf32>>, %i: index, %x: vector<24xindex>, %pad: vector<32xf32>) {
  %x2 = arith.addi %x, %x : vector<24xindex>
  %r = iree_vector_ext.transfer_gather %src[%i][%x2 : vector<24xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xvector<32xf32>>, vector<24x32xf32>
  %0 = iree_vector_ext.to_layout %r to layout(#layout) : vector<24x32xf32>
  return
}

// CHECK-LABEL: func @scan(
// CHECK: %[[INIT:.*]] = math.absf %{{.*}} {iree_vector_ext.layouts = [#[[$DIM0]]]}
// CHECK: vector.scan <add>, {{.*}}layouts = [#[[$ALL]], #[[$DIM0]]]
func.func @scan(%x: vector<24x32xf32>, %y: vector<24xf32>) {
  %init = math.absf %y : vector<24xf32>
  %a = iree_vector_ext.to_layout %x to layout(#layout) : vector<24x32xf32>
  %0:2 = vector.scan <add>, %a, %init {inclusive = true, reduction_dim = 1 : i64} : vector<24x32xf32>, vector<24xf32>
  return
}

// CHECK-LABEL: func @gather(
// CHECK: %[[X:.*]] = arith.addi %{{.*}}, %{{.*}} {iree_vector_ext.layouts = [#[[$ALL]]]}
// CHECK: vector.gather {{.*}}layouts = [#[[$ALL]]]
func.func @gather(%src: memref<?xf32>, %i: index, %x: vector<24x32xindex>, %m: vector<24x32xi1>, %p: vector<24x32xf32>) {
  %x2 = arith.addi %x, %x : vector<24x32xindex>
  %a = iree_vector_ext.to_layout %p to layout(#layout) : vector<24x32xf32>
  %0 = vector.gather %src[%i] [%x2], %m, %a
         : memref<?xf32>, vector<24x32xindex>, vector<24x32xi1>, vector<24x32xf32> into vector<24x32xf32>
  return
}

// -----

// Operands of products: layouts, 1.9.
#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [8, 1], element_tile = [1, 4],
  subgroup_strides = [2, 0], thread_strides = [4, 0]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [4, 2], outer_tile = [1, 1], thread_tile = [1, 4], element_tile = [4, 2],
  subgroup_strides = [0, 1], thread_strides = [0, 1]>

// CHECK-DAG: #[[$RESULT:.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [2, 2], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [2, 1], thread_strides = [4, 1]>

// CHECK-LABEL: func @contract(
// CHECK: %[[ACC:.*]] = arith.constant {iree_vector_ext.layouts = [#[[$RESULT]]]}
// CHECK: vector.contract {{.*}}layouts = [#[[$RESULT]]]
func.func @contract(%x: vector<16x16xf32>, %y: vector<16x32xf32>) -> vector<16x32xf32> {
  %acc = arith.constant dense<0.0> : vector<16x32xf32>
  %a = iree_vector_ext.to_layout %x to layout(#a) : vector<16x16xf32>
  %b = iree_vector_ext.to_layout %y to layout(#b) : vector<16x32xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                         affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %acc
         : vector<16x16xf32>, vector<16x32xf32> into vector<16x32xf32>
  return %0 : vector<16x32xf32>
}
