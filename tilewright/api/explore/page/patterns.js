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

/** What global memory traffic costs: `access`, sectors against coalesced accesses of each warp; `repeats`, these against the
    data of each tile block; and `all`, their product. Null without accesses. */
function trafficOf({sectors, ideal_sectors: coalesced, data_sectors: data}) {
  return sectors ? {access: sectors / coalesced, repeats: coalesced / data, all: sectors / data} : null;
}

const isCost = factor => factor > 1.05;

/** "8.0× coalesced accesses, 4.0× repeats: together 32× the data"; empty if nothing costs more than it must. */
function describeTraffic(memory) {
  const {access, repeats, all} = trafficOf(memory) ?? {};
  const factors = [isCost(access) && `${formatRatio(access)} coalesced accesses`, isCost(repeats) && `${formatRatio(repeats)} repeats`].filter(Boolean);
  return factors.join(', ') + (factors.length > 1 ? `: together ${formatRatio(all)} the data` : '');
}

const describeRepeats = ({global}) => `a tile block moves its data ${trafficOf(global).repeats.toFixed(1)} times, on average`;

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
    ', in several warps, loop iterations or instructions, or by small parts of sectors. Fix: load what does not change before the loop.';
}

/** Everything about the accesses of a line: a list of sentences. Accesses and repeats are different costs, whose factors
    multiply, and have different fixes. `why` says why a tile block repeats accesses; empty if that is not known. */
function describeAccesses(counters, why) {
  const {global, shared} = counters, traffic = trafficOf(global), texts = [];
  if (traffic) texts.push(describeCost('Global memory', global, 'sector'));
  if (isCost(traffic?.repeats)) texts.push(`Repeats: ${describeRepeats(counters)}${explainRepeats(why)}`);
  if (isCost(traffic?.repeats) && isCost(traffic.access))
    texts.push(`${describeTraffic(global)}, which would fit in ${plural(global.data_sectors, 'sector')}.`);
  if (shared.bank_cycles) texts.push(describeCost('Shared memory', shared, 'bank'));
  for (const [name, {accesses, lanes}] of [['global', global], ['shared', shared]])
    if (lanes && lanes < 8 * accesses)
      texts.push(`An access to ${name} memory uses only ${Number((lanes / accesses).toFixed(1))} of the 32 threads of a warp, on average.`);
  return texts;
}

/** What is counted of accesses to global and to shared memory, and the ideal. */
const countedUnits = {sector: {member: 'sectors', noun: 'sector', ideal: 'coalesced accesses', isIdeal: 'by coalesced accesses'},
                      bank: {member: 'bank_cycles', noun: 'cycle', ideal: 'accesses without bank conflicts', isIdeal: 'without bank conflicts'}};

/** What accesses cost, compared with the ideal, and why: `unit` is 'sector' or 'bank'. */
function describeCost(what, memory, unit) {
  const {member, noun, isIdeal} = countedUnits[unit], number = memory[member], least = memory[`ideal_${member}`];
  const text = `${what}: ${plural(number, noun)}`;
  return isCost(number / least) ? `${text}, ${describeExcess(memory, unit)}${because(reasonsOf(memory, unit))}.${fixOf(memory, unit)}`
                                : `${text} ${isIdeal}.`;
}

/** "8.0× coalesced accesses (1,024)" */
function describeExcess(memory, unit) {
  const {member, ideal} = countedUnits[unit], least = memory[`ideal_${member}`];
  return `${formatRatio(memory[member] / least)} ${ideal} (${formatCount(least)})`;
}
