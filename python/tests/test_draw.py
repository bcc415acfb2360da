# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests pictures of views and layouts."""

import xml.etree.ElementTree

import pytest
import tilewright

VIEW = "partition_view<tile=(4x4), tensor_view<?x?xf32, strides=[?,1]>>"


def test_the_tiles_of_a_view():
    picture = tilewright.draw(view="!cuda_tile." + VIEW, extents=(6, 10))
    # 6 x 10 elements are 2 x 3 tiles of 4 x 4; element (4, 9) is in the last one.
    assert "tensor 6x10, index space 2x3" in picture.text
    assert picture.text.splitlines()[9].split()[-3] == "(1,2)"
    assert str(picture) == picture.text
    drawn = xml.etree.ElementTree.fromstring(picture.svg)
    assert drawn.tag.endswith("svg") and picture._repr_svg_() == picture.svg
    assert picture.html.startswith("<!DOCTYPE html>")


def test_a_layout_and_a_conversion():
    layout = ("nested_layout<subgroup_tile = [1], batch_tile = [{0}], outer_tile = [1], thread_tile = [8], "
              "element_tile = [{1}], subgroup_strides = [0], thread_strides = [1]>")
    blocked, cyclic = layout.format(1, 4), layout.format(4, 1)
    assert "over 16 threads in 2 subgroups of 8" in tilewright.draw(
        layout=blocked, threads=16, subgroup_size=8).text
    moved = tilewright.draw(convert=(blocked, cyclic), subgroup_size=8, slice="0:3").text
    # Element 1 is in thread 0, register 1; in the cyclic layout, in thread 1, register 0.
    assert moved.splitlines()[7].split() == ["0:0", "0→1:1→0", "0→2:2→0"]


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(TypeError, match="expected one of view, layout and convert, found none"):
        tilewright.draw()
    with pytest.raises(TypeError, match="found view and layout"):
        tilewright.draw(view=VIEW, layout="m16n8k16_f16.C")
    with pytest.raises(ValueError, match="^--view: extent 0 of the tensor view is dynamic"):
        tilewright.draw(view=VIEW)
