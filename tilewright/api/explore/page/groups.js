// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that differ only in their block and elements are one group: the first is shown, the others on demand.

/** The indices of the findings of each group, in the order in which they are shown. */
function groupsOf(findings) {
  const groups = new Map();
  findings.forEach(({group}, index) => {
    const key = group ?? index;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(index);
  });
  return groups;
}

/** The cards in the order of the groups; those after the first of a group are in a <details>. */
function groupCards(findings, cards) {
  return [...groupsOf(findings).values()].map(([first, ...others]) => !others.length ? cards[first] : element('div.group', {}, cards[first],
    element('details', {}, element('summary', {}, `${others.length} more like this${describeBlocks(findings, others)}`),
            element('div.list', {}, others.map(index => cards[index])))));
}

/** " in blocks (1, 0, 0), (2, 0, 0) and 3 others" */
function describeBlocks(findings, indices) {
  const blocks = [...new Set(indices.map(index => findings[index].block).filter(Boolean).map(formatBlock))];
  if (!blocks.length) return '';
  const more = blocks.length - 3;
  return ` in ${blocks.length === 1 ? 'block' : 'blocks'} ${blocks.slice(0, 3).join(', ')}` +
    (more > 0 ? ` and ${formatCount(more)} ${more === 1 ? 'other' : 'others'}` : '');
}
