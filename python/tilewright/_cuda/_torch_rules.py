# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The precision with which each PyTorch operator computes on "cuda" tensors in host memory: one table.

Operators are named as in `torch.ops.aten`, without overloads and without the underscore of in-place variants; those
that begin with `_foreach_` follow the operator that they repeat. _torch_exact.py applies the rules, and
scripts/cuda_page.py generates docs/cuda-functions.md from this table. A test lists PyTorch operators that are missing
here. Operators that a later PyTorch adds follow WIDENED.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    title: str
    meaning: str
    operators: frozenset[str]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = Rule(
    "Elementwise functions",
    "f16, bf16 and f32 are computed in f64, and the result is rounded once. Integers are converted to f32 first, as "
    "on a GPU.",
    _names("""
    acos acosh addcdiv addcmul angle asin asinh atan atan2 atanh celu cos cosh deg2rad digamma elu elu_backward erf
    erfc erfinv exp exp2 expm1 frac gelu gelu_backward glu glu_backward glu_backward_jvp glu_jvp hardsigmoid
    hardsigmoid_backward hardswish hardswish_backward hypot i0 igamma igammac ldexp lerp lgamma log log10 log1p log2
    log_sigmoid_backward log_sigmoid_forward logaddexp logaddexp2 logit logit_backward mish mish_backward mvlgamma
    polar polygamma pow rad2deg reciprocal rsqrt sigmoid sigmoid_backward silu silu_backward sin sinc sinh softplus
    softplus_backward special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1
    special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
    special_chebyshev_polynomial_w special_entr special_erfcx special_hermite_polynomial_h
    special_hermite_polynomial_he special_i0e special_i1 special_i1e special_laguerre_polynomial_l
    special_legendre_polynomial_p special_log_ndtr special_modified_bessel_i0 special_modified_bessel_i1
    special_modified_bessel_k0 special_modified_bessel_k1 special_ndtri special_scaled_modified_bessel_k0
    special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0
    special_xlog1py special_zeta sqrt tan tanh tanh_backward xlogy
    """))

SUMS = Rule(
    "Sums",
    "Reductions, scans, products, norms, softmax, losses and attention accumulate f16 and bf16 in f32, and f32 in f64. "
    "The result is rounded once.",
    _names("""
    _adaptive_avg_pool2d _adaptive_avg_pool2d_backward _adaptive_avg_pool3d _adaptive_avg_pool3d_backward
    _addmm_activation _batch_norm_no_update _batch_norm_with_update _cdist_backward _cdist_forward _ctc_loss
    _ctc_loss_backward _euclidean_dist _fused_rms_norm _log_softmax _log_softmax_backward_data _logcumsumexp
    _masked_softmax _masked_softmax_backward _native_batch_norm_legit _native_batch_norm_legit_no_training
    _pdist_backward _pdist_forward _safe_softmax _scaled_dot_product_flash_attention_for_cpu
    _scaled_dot_product_flash_attention_for_cpu_backward _softmax _softmax_backward_data _trilinear
    _weight_norm_interface _weight_norm_interface_backward adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
    adaptive_avg_pool3d_backward addbmm addmm addmv addr avg_pool1d avg_pool2d avg_pool2d_backward avg_pool3d
    avg_pool3d_backward baddbmm batch_norm_backward batch_norm_update_stats binary_cross_entropy
    binary_cross_entropy_backward binary_cross_entropy_with_logits bmm cumprod cumsum dist dot huber_loss
    huber_loss_backward linalg__powsum linalg_vector_norm linear log_softmax logcumsumexp logsumexp mean mm mse_loss
    mse_loss_backward multi_margin_loss multi_margin_loss_backward multilabel_margin_loss_backward
    multilabel_margin_loss_forward mv nansum native_batch_norm native_batch_norm_backward native_group_norm
    native_group_norm_backward native_layer_norm native_layer_norm_backward nll_loss2d_backward nll_loss2d_forward
    nll_loss_backward nll_loss_forward norm prod renorm smooth_l1_loss smooth_l1_loss_backward soft_margin_loss
    soft_margin_loss_backward softmax std std_mean sum trace var var_mean vdot
    """))

WIDENED = Rule(
    "Other operators of 16-bit floats",
    "f16 and bf16 are computed in f32, and the result is rounded once. Other types are computed as PyTorch does on "
    "the CPU.",
    _names("""
    _aminmax _compute_linear_combination _convolution _embedding_bag _embedding_bag_backward
    _embedding_bag_dense_backward _embedding_bag_forward_only _embedding_bag_per_sample_weights_backward
    _grid_sampler_2d_cpu_fallback _grid_sampler_2d_cpu_fallback_backward _grouped_mm _histogramdd_bin_edges
    _histogramdd_from_bin_cts _histogramdd_from_bin_tensors _index_put_impl _native_multi_head_attention
    _nnpack_spatial_convolution _prelu_kernel _prelu_kernel_backward _segment_reduce_backward _slow_conv2d_backward
    _slow_conv2d_forward _transform_bias_rescale_qkv _transformer_encoder_layer_fwd _unsafe_index_put
    _unsafe_masked_index_put_accumulate _upsample_bicubic2d_aa _upsample_bicubic2d_aa_backward _upsample_bilinear2d_aa
    _upsample_bilinear2d_aa_backward _upsample_lanczos2d_aa _upsample_lanczos2d_aa_backward _upsample_nearest_exact1d
    _upsample_nearest_exact1d_backward _upsample_nearest_exact2d _upsample_nearest_exact2d_backward
    _upsample_nearest_exact3d _upsample_nearest_exact3d_backward adaptive_max_pool2d_backward
    adaptive_max_pool3d_backward add affine_grid_generator col2im conv_tbc convolution convolution_backward div
    embedding_dense_backward embedding_renorm floor_divide fmod fractional_max_pool2d fractional_max_pool2d_backward
    fractional_max_pool3d fractional_max_pool3d_backward grid_sampler_2d grid_sampler_2d_backward grid_sampler_3d
    grid_sampler_3d_backward hardshrink_backward hardtanh_backward histc histogram im2col index_add index_put
    index_reduce leaky_relu leaky_relu_backward linalg_cross linalg_pinv max_pool2d_with_indices
    max_pool2d_with_indices_backward max_pool3d_with_indices max_pool3d_with_indices_backward mkldnn_rnn_layer
    mkldnn_rnn_layer_backward put reflection_pad1d reflection_pad1d_backward reflection_pad2d
    reflection_pad2d_backward reflection_pad3d reflection_pad3d_backward remainder replication_pad1d
    replication_pad1d_backward replication_pad2d replication_pad2d_backward replication_pad3d
    replication_pad3d_backward round rrelu_with_noise rrelu_with_noise_backward rsub scatter_add scatter_reduce
    segment_reduce slow_conv3d_forward slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d
    slow_conv_transpose3d softshrink softshrink_backward sub unfold_backward upsample_bicubic2d
    upsample_bicubic2d_backward upsample_bilinear2d upsample_bilinear2d_backward upsample_linear1d
    upsample_linear1d_backward upsample_nearest1d upsample_nearest1d_backward upsample_nearest2d
    upsample_nearest2d_backward upsample_nearest3d upsample_nearest3d_backward upsample_trilinear3d
    upsample_trilinear3d_backward
    """))

UNCHANGED = Rule(
    "Unchanged operators",
    "Copies, views, selections, comparisons, integers, random numbers, LAPACK, and `mul`, which PyTorch for the CPU "
    "rounds once, too.",
    _names("""
    __ilshift__ __irshift__ __lshift__ __rshift__ _add_relu _amp_foreach_non_finite_check_and_unscale
    _amp_update_scale _assert_async _assert_scalar _assert_tensor_metadata _cholesky_solve_helper _chunk_cat _conj
    _conj_copy _conj_physical _convert_indices_from_coo_to_csr _convert_indices_from_csr_to_coo
    _convert_weight_to_int4pack_for_cpu _cummax_helper _cummin_helper _dirichlet_grad _dyn_quant_matmul_4bit
    _dyn_quant_pack_4bit_weight _efficientzerotensor _empty_affine_quantized _empty_per_channel_affine_quantized
    _fake_quantize_learnable_per_channel_affine _fake_quantize_learnable_per_channel_affine_backward
    _fake_quantize_learnable_per_tensor_affine _fake_quantize_learnable_per_tensor_affine_backward
    _fake_quantize_per_tensor_affine_cachemask_tensor_qparams _fft_c2c _fft_c2r _fft_r2c _functional_assert_async
    _functional_assert_scalar _functional_sym_constrain_range _functional_sym_constrain_range_for_size _fused_adagrad
    _fused_adam _fused_adamw _fused_moving_avg_obs_fq_helper _fused_sdp_choice _fused_sgd _fw_primal _fw_primal_copy
    _has_same_storage_numel _indices_copy _int_mm _is_all_true _is_any_true _jagged_to_padded_dense_forward
    _lazy_clone _linalg_check_errors _linalg_det _linalg_eigh _linalg_eigvals _linalg_slogdet _linalg_solve_ex
    _linalg_svd _local_scalar_dense _make_dep_token _make_dual _make_dual_copy _make_per_channel_quantized_tensor
    _make_per_tensor_quantized_tensor _neg_view _neg_view_copy _nested_compute_contiguous_strides_offsets
    _nested_from_padded _nested_get_values_copy _nested_tensor_from_mask _nested_tensor_from_mask_left_aligned
    _nested_tensor_from_tensor_list _nested_view_from_buffer _nested_view_from_buffer_copy
    _nested_view_from_jagged_copy _new_zeros_with_same_feature_meta _pack_padded_sequence
    _padded_dense_to_jagged_forward _philox_key_fold_in _philox_key_split _philox_normal _philox_randint
    _philox_uniform _pin_memory _print _reshape_alias _reshape_alias_copy _reshape_copy _sample_dirichlet
    _scaled_addmm _scaled_dot_product_fused_attention_overrideable
    _scaled_dot_product_fused_attention_overrideable_backward _scaled_grouped_mm_v2 _scaled_mm _scaled_mm_v2
    _sparse_addmm _sparse_broadcast_to_copy _sparse_compressed_tensor_with_dims _sparse_log_softmax _sparse_softmax
    _sparse_sum _spdiags _stack _standard_gamma _standard_gamma_grad _to_copy _to_sparse _to_sparse_bsc _to_sparse_bsr
    _to_sparse_csc _to_sparse_csr _unique _unique2 _unsafe_index _unsafe_masked_index _unsafe_view
    _validate_compressed_sparse_indices _values_copy _weight_int4pack_mm_for_cpu _weight_int8pack_mm abs
    adaptive_max_pool2d adaptive_max_pool3d alias alias_copy all allclose amax amin aminmax any arange argmax argmin
    as_strided as_strided_copy as_strided_scatter bartlett_window bernoulli bincount binomial bitwise_and
    bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman_window block_diag bucketize cat
    cauchy ccol_indices ccol_indices_copy ceil channel_shuffle cholesky_inverse cholesky_solve clamp clamp_max
    clamp_min clone col_indices col_indices_copy complex conj_physical constant_pad_nd
    convolution_backward_overrideable convolution_overrideable copy copysign count_nonzero crow_indices
    crow_indices_copy cummax cummin dense_dim dequantize detach detach_copy diag_embed diagonal diagonal_backward
    diagonal_copy diagonal_scatter embedding empty empty_like empty_permuted empty_strided eq equal expand expand_copy
    exponential eye fake_quantize_per_channel_affine_cachemask fake_quantize_per_tensor_affine_cachemask fft_fftfreq
    fft_rfftfreq fill flip floor fmax fmin frexp from_file full full_like gather gcd ge geometric geqrf gt
    hamming_window hann_window hardshrink hardtanh hash_tensor heaviside index index_copy index_fill index_select
    indices indices_copy is_coalesced is_pinned is_same_size is_set_to isin isinf isnan isneginf isposinf
    kaiser_window kthvalue lcm le lift lift_fresh lift_fresh_copy linalg_cholesky_ex linalg_eig linalg_eigvals
    linalg_householder_product linalg_inv_ex linalg_ldl_factor_ex linalg_ldl_solve linalg_lstsq linalg_lu
    linalg_lu_factor_ex linalg_lu_solve linalg_matrix_exp linalg_matrix_sqrth linalg_polar linalg_qr
    linalg_solve_triangular linspace log_normal logical_and logical_not logical_or logical_xor logspace lt lu_unpack
    masked_fill masked_scatter masked_scatter_backward masked_select max max_unpool2d max_unpool3d maximum median min
    minimum mkldnn_convolution mode mul multinomial nan_to_num nanmedian narrow_copy native_channel_shuffle
    native_dropout native_dropout_backward ne neg new_empty new_empty_strided new_full new_ones new_zeros nextafter
    nonzero nonzero_static normal normal_functional ones ones_like ormqr permute permute_copy pixel_shuffle
    pixel_unshuffle poisson quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic quantized_gru
    quantized_lstm rand rand_like randint randint_like randn randn_like random randperm range relu repeat
    repeat_interleave resize resize_as roll rot90 row_indices row_indices_copy scalar_tensor scatter searchsorted
    select select_backward select_copy select_scatter set sgn shallow_copy_data sign signbit slice slice_backward
    slice_copy slice_inverse slice_scatter sort sparse_compressed_tensor sparse_coo_tensor sparse_dim split split_copy
    split_with_sizes split_with_sizes_copy squeeze squeeze_copy sspaddmm stack sym_constrain_range
    sym_constrain_range_for_size t t_copy take threshold threshold_backward to_mkldnn topk transpose transpose_copy
    triangular_solve tril tril_indices triu triu_indices trunc unbind unbind_copy unfold unfold_copy uniform
    unique_consecutive unique_dim unique_dim_consecutive unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_copy
    values values_copy view view_as_complex view_as_complex_copy view_as_real view_as_real_copy view_copy where zero
    zeros zeros_like
    """))

REFUSED = Rule(
    "Refused operators",
    "PyTorch has them for GPUs only. They raise `NotImplementedError` with their name. PyTorch's own functions do "
    "without them: `scaled_dot_product_attention`, `batch_norm` and so on are computed by other operators.",
    _names("""
    _conv_depthwise2d _convert_weight_to_int4pack _cslt_compress _cslt_sparse_mm _cslt_sparse_mm_search
    _cudnn_attention_backward _cudnn_attention_forward _cudnn_attention_forward_no_dropout_inplace _cudnn_ctc_loss
    _cudnn_init_dropout_state _cudnn_rnn _cudnn_rnn_backward _cudnn_rnn_flatten_weight _efficient_attention_backward
    _efficient_attention_forward _fill_mem_eff_dropout_mask _flash_attention_backward _flash_attention_forward
    _flash_attention_forward_no_dropout_inplace _fused_dropout _fused_rms_norm_backward _masked_scale
    _mixed_dtypes_linear _scaled_dot_product_cudnn_attention _scaled_dot_product_cudnn_attention_backward
    _scaled_dot_product_efficient_attention _scaled_dot_product_efficient_attention_backward
    _scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_backward _scaled_grouped_mm
    _sparse_semi_structured_addmm _sparse_semi_structured_apply _sparse_semi_structured_apply_dense
    _sparse_semi_structured_linear _sparse_semi_structured_mm _sparse_semi_structured_tile _thnn_fused_gru_cell
    _thnn_fused_gru_cell_backward _thnn_fused_lstm_cell _thnn_fused_lstm_cell_backward_impl _to_sparse_semi_structured
    _triton_multi_head_attention _triton_scaled_dot_attention _use_cudnn_ctc_loss _use_miopen_ctc_loss
    _weight_int4pack_mm batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats
    batch_norm_gather_stats_with_counts batch_norm_stats conv_depthwise3d cudnn_affine_grid_generator
    cudnn_affine_grid_generator_backward cudnn_batch_norm cudnn_batch_norm_backward cudnn_convolution
    cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler
    cudnn_grid_sampler_backward miopen_batch_norm miopen_batch_norm_backward miopen_convolution
    miopen_convolution_add_relu miopen_convolution_relu miopen_convolution_transpose miopen_ctc_loss
    miopen_depthwise_convolution miopen_rnn miopen_rnn_backward record_stream
    """))

RULES = (FUNCTIONS, SUMS, WIDENED, UNCHANGED, REFUSED)

# Elementwise functions that return floats for integer arguments.
OF_INTEGERS = FUNCTIONS.operators - _names("addcdiv addcmul frac lerp pow")

# Operators with results that do not have the promoted argument type. For each result: the argument whose type it has,
# or `f32` for a statistic, which a GPU computes in f32 or wider.
_NORM, _NORM_BACKWARD = ("input", "f32", "f32"), ("input", "weight", "weight")
RESULTS = {
    "native_layer_norm": _NORM, "native_layer_norm_backward": ("input", "weight", "bias"),
    "native_group_norm": _NORM, "native_group_norm_backward": _NORM_BACKWARD,
    "native_batch_norm": _NORM, "native_batch_norm_backward": _NORM_BACKWARD,
    "batch_norm_backward": _NORM_BACKWARD, "batch_norm_update_stats": ("f32", "f32"),
    "_native_batch_norm_legit": _NORM, "_native_batch_norm_legit_no_training": _NORM,
    "_batch_norm_with_update": _NORM, "_batch_norm_no_update": _NORM,
    "_weight_norm_interface": ("v", "f32"), "_weight_norm_interface_backward": ("saved_v", "saved_g"),
    "_scaled_dot_product_flash_attention_for_cpu": ("query", "f32"),
    "_scaled_dot_product_flash_attention_for_cpu_backward": ("query", "key", "value"),
}

# Arguments that an operator writes to without being marked in its schema.
WRITTEN = dict.fromkeys(("native_batch_norm", "batch_norm_update_stats"), ("running_mean", "running_var"))
