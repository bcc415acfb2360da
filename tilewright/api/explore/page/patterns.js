// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says why memory accesses cost more than the ideal, from the patterns that the PTX machine counted. No DOM.

/** "1 byte", "4,096 bytes" */
const bytesText = count => plural(count, 'byte');

/** How the threads of a warp are spread over memory; `unit` is 'sector' or 'bank'. */
function describePattern({bytes, run_bytes, stride, unaligned, start}, unit) {
  if (!run_bytes) return bytes ? `threads access ${bytesText(bytes)} each at irregular addresses` : 'it copies irregular pieces';
  const apart = `${bytesText(Math.abs(stride))} apart`;
  if (!stride)
    return `${bytesText(run_bytes)} in a row` + (unaligned ? ` start ${bytesText(start)} after a ${unit} boundary` : '');
  if (run_bytes === bytes) return `neighbouring threads access elements of ${bytesText(bytes)}, ${apart}`;
  const who = bytes ? `groups of ${formatCount(run_bytes / bytes)} neighbouring threads access` : 'it copies';
  return `${who} rows of ${bytesText(run_bytes)}, ${apart}${unaligned ? `, not aligned to ${unit}s` : ''}`;
}

/** The worst pattern in words, and a second one; empty if no access costs more than the ideal. */
function reasonsOf({patterns}, unit) {
  return (patterns ?? []).slice(0, 2).map(pattern => describePattern(pattern, unit)).join('; also, ');
}

/** How often a tile block accesses the same sector on a line; null without accesses. */
const repeatsOf = ({global}) => global.distinct_sectors ? global.sectors / global.distinct_sectors : null;

const describeRepeats = counters => `a tile block accesses each sector ${repeatsOf(counters).toFixed(1)} times, on average`;

/** What would make the accesses cheaper; empty if that depends on the data. */
function fixOf({patterns}, unit) {
  const worst = patterns?.[0];
  if (!worst?.run_bytes) return '';
  if (unit === 'bank') return ' Fix: other extents of the tile, or another order of its dimensions, use other banks.';
  if (!worst.stride && worst.unaligned) return ' Fix: let rows begin at multiples of 32 bytes, for example by padding the rows of the array.';
  return ' Fix: use tiles that are wide in the dimension along which the array is contiguous, and permute them in registers.';
}

/** Why a tile block repeats accesses, and what would help. `why` is empty if only the counts are known. */
function explainRepeats(why) {
  return why ? `, because ${why}. Fix: larger tiles give each thread elements of its own.` :
    ', in several warps, loop iterations or instructions. Fix: load what does not change before the loop.';
}

/** Everything about the accesses of a line: a list of sentences. Waste and repeats are different costs, whose factors
    multiply, and have different fixes. `why` says why a tile block repeats accesses; empty if that is not known. */
function describeAccesses(counters, why) {
  const {global, shared} = counters, texts = [];
  if (global.sectors) texts.push(describeCost('Global memory', global, 'sector', 'sectors'));
  if (repeatsOf(counters) > 1.05)
    texts.push(`Repeats: ${describeRepeats(counters)}${explainRepeats(why)}`);
  if (shared.bank_cycles) texts.push(describeCost('Shared memory', shared, 'cycle', 'bank_cycles'));
  for (const [name, {accesses, lanes}] of [['global', global], ['shared', shared]])
    if (lanes && lanes < 8 * accesses)
      texts.push(`An access to ${name} memory uses only ${Number((lanes / accesses).toFixed(1))} of the 32 threads of a warp, on average.`);
  return texts;
}

function describeCost(what, memory, unit, member) {
  const number = memory[member], ideal = memory[`ideal_${member}`], factor = number / ideal;
  const reasons = reasonsOf(memory, unit === 'sector' ? 'sector' : 'bank');
  return `${what}: ${plural(number, unit)}` + (factor <= 1.05 ? ', which is ideal for each warp.' :
    `, ${formatRatio(factor)} the ideal ${formatCount(ideal)}${reasons ? `, because ${reasons}` : ''}.${fixOf(memory, unit === 'sector' ? 'sector' : 'bank')}`);
}
