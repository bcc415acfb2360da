# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of each page. Each uses a page that was just opened, as a reader does."""

import comparisons
import keys
import layout
import stories
import views

EVERY_PAGE = [
    layout.has_every_view, layout.has_both_themes, layout.has_legible_colours, layout.fits_the_window, layout.has_room_for_long_names,
    views.shows_figures_of_lines, views.links_lines_with_code, keys.moves_by_keys, keys.moves_by_page_keys, keys.moves_between_tabs,
    views.opens_the_source_where_to_look, layout.aligns_figures, layout.scrolls_headings_sideways, keys.keeps_keys_that_move_nothing,
    layout.fits_a_narrow_window, layout.cuts_no_text_silently, views.labels_the_roofline, views.lists_findings, views.draws_arrays,
    views.draws_tiles, views.zooms_arrays, views.steps_through_time, views.draws_lanes, views.shows_costs, keys.lists_keys,
]

OF_KERNEL = {
    "matmul": [stories.counts_traffic_once],
    "attention": [stories.shows_copies_at_loads],
    "columns": [stories.shows_the_wasteful_line],
    "race": [stories.shows_the_race],
    "nan": [stories.shows_the_first_nan],
    "split_k": [stories.shows_unwritten_elements, stories.tells_waste_from_repeats],
    "bounds": [stories.shows_the_access_outside],
    "total": [stories.shows_python_beside_tile_ir],
    "rows": comparisons.CHECKS,
    "limits": [stories.groups_failed_assertions],
    "stopped": comparisons.CHECKS_OF_STOPPED,
}
