// Products by matrix instructions (layouts, 3.6.10, 4.4, 4.5): fragments of every shape, several
// batches and subgroups, operands that are transposed, and a product that feeds another one.
// RUN: %tilewright distribute %s --threads 128 --check

#mma_m16n8k16_f16_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m16n8k16_f16_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m16n8k16_f16_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#mma_m16n8k8_f16_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m16n8k8_f16_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m16n8k8_f16_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#mma_m16n8k8_tf32_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 1],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m16n8k8_tf32_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [1, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m16n8k8_tf32_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#mma_m16n8k4_tf32_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 1],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m16n8k4_tf32_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m16n8k4_tf32_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#mma_m16n8k32_i8_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m16n8k32_i8_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [4, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m16n8k32_i8_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#mma_m16n8k64_i4_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 8],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m16n8k64_i4_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [8, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m16n8k64_i4_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#mma_m8n8k4_f64_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 1],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#mma_m8n8k4_f64_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#mma_m8n8k4_f64_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#bf16_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#bf16_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#bf16_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#f16_result_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#f16_result_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 1], thread_strides = [1, 4]>
#f16_result_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [2, 1], thread_strides = [4, 1]>
#halves_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [2, 4], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#halves_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#halves_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#all_transposed_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 2], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 2], thread_strides = [1, 4]>
#all_transposed_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#all_transposed_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 2], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [1, 2], thread_strides = [1, 4]>
#chain_a = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#chain_b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#chain_c = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#chain_v = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#chain_p = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#chain_load = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 8],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>

func.func @mma_m16n8k16_f16(%x: memref<64x32xf16>, %y: memref<32x32xf16>, %z: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<32x32xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m16n8k16_f16_a) {mma_kind = "m16n8k16_f16"} : vector<64x32xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m16n8k16_f16_b) {mma_kind = "m16n8k16_f16"} : vector<32x32xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m16n8k16_f16_c) {mma_kind = "m16n8k16_f16"} : vector<64x32xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  return
}

func.func @mma_m16n8k8_f16(%x: memref<64x16xf16>, %y: memref<16x32xf16>, %z: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m16n8k8_f16_a) {mma_kind = "m16n8k8_f16"} : vector<64x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m16n8k8_f16_b) {mma_kind = "m16n8k8_f16"} : vector<16x32xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m16n8k8_f16_c) {mma_kind = "m16n8k8_f16"} : vector<64x32xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x16xf16>, vector<16x32xf16> into vector<64x32xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  return
}

func.func @mma_m16n8k8_tf32(%x: memref<64x16xf32>, %y: memref<16x32xf32>, %z: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf32>, vector<64x16xf32>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m16n8k8_tf32_a) {mma_kind = "m16n8k8_tf32"} : vector<64x16xf32>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m16n8k8_tf32_b) {mma_kind = "m16n8k8_tf32"} : vector<16x32xf32>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m16n8k8_tf32_c) {mma_kind = "m16n8k8_tf32"} : vector<64x32xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x16xf32>, vector<16x32xf32> into vector<64x32xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  return
}

func.func @mma_m16n8k4_tf32(%x: memref<64x8xf32>, %y: memref<8x32xf32>, %z: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x8xf32>, vector<64x8xf32>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x32xf32>, vector<8x32xf32>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m16n8k4_tf32_a) {mma_kind = "m16n8k4_tf32"} : vector<64x8xf32>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m16n8k4_tf32_b) {mma_kind = "m16n8k4_tf32"} : vector<8x32xf32>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m16n8k4_tf32_c) {mma_kind = "m16n8k4_tf32"} : vector<64x32xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x8xf32>, vector<8x32xf32> into vector<64x32xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  return
}

func.func @mma_m16n8k32_i8(%x: memref<64x64xi8>, %y: memref<64x32xi8>, %z: memref<64x32xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %pad_acc = arith.constant 0 : i32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xi8>, vector<64x64xi8>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x32xi8>, vector<64x32xi8>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xi32>, vector<64x32xi32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m16n8k32_i8_a) {mma_kind = "m16n8k32_i8"} : vector<64x64xi8>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m16n8k32_i8_b) {mma_kind = "m16n8k32_i8"} : vector<64x32xi8>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m16n8k32_i8_c) {mma_kind = "m16n8k32_i8"} : vector<64x32xi32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x64xi8>, vector<64x32xi8> into vector<64x32xi32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xi32>, memref<64x32xi32>
  return
}

func.func @mma_m16n8k64_i4(%x: memref<64x128xi4>, %y: memref<128x32xi4>, %z: memref<64x32xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i4
  %pad_acc = arith.constant 0 : i32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x128xi4>, vector<64x128xi4>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<128x32xi4>, vector<128x32xi4>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xi32>, vector<64x32xi32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m16n8k64_i4_a) {mma_kind = "m16n8k64_i4"} : vector<64x128xi4>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m16n8k64_i4_b) {mma_kind = "m16n8k64_i4"} : vector<128x32xi4>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m16n8k64_i4_c) {mma_kind = "m16n8k64_i4"} : vector<64x32xi32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x128xi4>, vector<128x32xi4> into vector<64x32xi32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xi32>, memref<64x32xi32>
  return
}

func.func @mma_m8n8k4_f64(%x: memref<32x8xf64>, %y: memref<8x32xf64>, %z: memref<32x32xf64>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f64
  %pad_acc = arith.constant 0.0 : f64
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x8xf64>, vector<32x8xf64>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x32xf64>, vector<8x32xf64>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<32x32xf64>, vector<32x32xf64>
  %lhs = iree_vector_ext.to_layout %0 to layout(#mma_m8n8k4_f64_a) {mma_kind = "m8n8k4_f64"} : vector<32x8xf64>
  %rhs = iree_vector_ext.to_layout %1 to layout(#mma_m8n8k4_f64_b) {mma_kind = "m8n8k4_f64"} : vector<8x32xf64>
  %acc = iree_vector_ext.to_layout %2 to layout(#mma_m8n8k4_f64_c) {mma_kind = "m8n8k4_f64"} : vector<32x32xf64>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<32x8xf64>, vector<8x32xf64> into vector<32x32xf64>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf64>, memref<32x32xf64>
  return
}

func.func @bf16(%x: memref<64x32xbf16>, %y: memref<32x32xbf16>, %z: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x32xbf16>, vector<64x32xbf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xbf16>, vector<32x32xbf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#bf16_a) {mma_kind = "m16n8k16_f16"} : vector<64x32xbf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#bf16_b) {mma_kind = "m16n8k16_f16"} : vector<32x32xbf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#bf16_c) {mma_kind = "m16n8k16_f16"} : vector<64x32xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x32xbf16>, vector<32x32xbf16> into vector<64x32xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  return
}

func.func @f16_result(%x: memref<64x32xf16>, %y: memref<32x32xf16>, %z: memref<64x32xf16>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad_acc = arith.constant 0.0 : f16
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<32x32xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
  %lhs = iree_vector_ext.to_layout %0 to layout(#f16_result_a) {mma_kind = "m16n8k16_f16"} : vector<64x32xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#f16_result_b) {mma_kind = "m16n8k16_f16"} : vector<32x32xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#f16_result_c) {mma_kind = "m16n8k16_f16"} : vector<64x32xf16>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf16>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf16>, memref<64x32xf16>
  return
}

// The halves of K as batches of A (4.4, option ii).
func.func @halves(%x: memref<128x32xf16>, %y: memref<32x16xf16>, %z: memref<128x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<128x32xf16>, vector<128x32xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<128x16xf32>, vector<128x16xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#halves_a) {mma_kind = "m16n8k16_f16"} : vector<128x32xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#halves_b) {mma_kind = "m16n8k16_f16"} : vector<32x16xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#halves_c) {mma_kind = "m16n8k16_f16"} : vector<128x16xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<128x32xf16>, vector<32x16xf16> into vector<128x16xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<128x16xf32>, memref<128x16xf32>
  return
}

// K before M, N before K, and N before M.
func.func @all_transposed(%x: memref<32x64xf16>, %y: memref<32x32xf16>, %z: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad_acc = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf16>, vector<32x64xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<32x32xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad_acc {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#all_transposed_a) {mma_kind = "m16n8k16_f16"} : vector<32x64xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#all_transposed_b) {mma_kind = "m16n8k16_f16"} : vector<32x32xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#all_transposed_c) {mma_kind = "m16n8k16_f16"} : vector<32x64xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<32x64xf16>, vector<32x32xf16> into vector<32x64xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

// As in attention: the accumulator of one product is operand A of the next, in the same registers
// (4.5); what is loaded goes through shared memory into fragments.
func.func @chained(%q: memref<?x64x32xf16>, %k: memref<32x16xf16>, %v: memref<16x16xf16>, %o: memref<64x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %init = arith.constant dense<0.0> : vector<64x16xf32>
  %0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
  %1 = vector.transfer_read %v[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %kl = iree_vector_ext.to_layout %0 to layout(#chain_b) {mma_kind = "m16n8k16_f16"} : vector<32x16xf16>
  %vl = iree_vector_ext.to_layout %1 to layout(#chain_v) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> vector<64x16xf32> {
    %2 = vector.transfer_read %q[%i, %c0, %c0], %pad {in_bounds = [true, true]} : memref<?x64x32xf16>, vector<64x32xf16>
    %loaded = iree_vector_ext.to_layout %2 to layout(#chain_load) : vector<64x32xf16>
    %ql = iree_vector_ext.to_layout %loaded to layout(#chain_a) {shared_memory_conversion, mma_kind = "m16n8k16_f16"} : vector<64x32xf16>
    %sl = iree_vector_ext.to_layout %zero to layout(#chain_c) : vector<64x16xf32>
    %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ql, %kl, %sl : vector<64x32xf16>, vector<32x16xf16> into vector<64x16xf32>
    %half = arith.truncf %s : vector<64x16xf32> to vector<64x16xf16>
    %p = iree_vector_ext.to_layout %half to layout(#chain_p) {mma_kind = "m16n8k16_f16"} : vector<64x16xf16>
    %t = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %p, %vl, %acc : vector<64x16xf16>, vector<16x16xf16> into vector<64x16xf32>
    scf.yield %t : vector<64x16xf32>
  }
  %rl = iree_vector_ext.to_layout %r to layout(#chain_c) : vector<64x16xf32>
  vector.transfer_write %rl, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
  return
}
