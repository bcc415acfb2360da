// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names GPUs, and says what would raise the occupancy. No DOM.

/** Examples of targets for which the document has no figures. */
const otherGpus = {sm_86: 'RTX 3090', sm_87: 'Jetson Orin', sm_103a: 'B300', sm_110a: 'Jetson Thor', sm_121a: 'DGX Spark'};

/** "H100, H200 (sm_90a)" */
function nameOfTarget(cost, sm) {
  const names = (cost?.gpus ?? []).filter(gpu => gpu.sm === sm).map(({name}) => name.replace(/ SXM.*/, ''));
  const name = names.length ? names.join(', ') : otherGpus[sm];
  return name ? `${name} (${sm})` : sm;
}

const nameOfGpu = ({name, sm}) => `${name} (${sm})`;

const adviceOfLimiter = {
  'shared memory': 'Shared memory is the limit. Smaller tiles or fewer pipeline stages (num_stages) need less.',
  threads: 'More of them would exceed the threads of a multiprocessor.',
  blocks: 'The number of thread blocks per multiprocessor is the limit. Larger tiles would fill it with fewer of them.',
};

/** What else must shrink before another thread block fits. */
const tied = ({limiter, also}) => also.length && limiter !== 'threads' ?
  ` More than one limit is reached: ${[limiter, ...also].join(' and ')}; another thread block needs less of each.` : '';

function adviceFor(occupancy, registers) {
  const takesNoMore = occupancy.limiter !== 'threads' && occupancy.also.includes('blocks');
  if (takesNoMore) return adviceOfLimiter.blocks;
  return (occupancy.limiter === 'registers' ? adviceForRegisters(occupancy, registers) : adviceOfLimiter[occupancy.limiter] ?? '') +
    tied(occupancy);
}

/** With how many registers per thread another thread block fits. */
function adviceForRegisters({blocks, also, registers_for_another: needed}, registers) {
  const limit = 'Registers are the limit.';
  if (!needed) return `${limit} Smaller tiles need fewer.`;
  if (also.length) return `${limit} ${plural(blocks + 1, 'thread block')} would need at most ${needed} registers per thread instead of ${registers}.`;
  return `${limit} With ${needed} registers per thread instead of ${registers}, ${plural(blocks + 1, 'thread block')} would fit: ` +
    `smaller tiles need fewer registers, and so does the hint occupancy=${blocks + 1}, but it may cause spills.`;
}

/** How much of the possible occupancy a grid with few blocks reaches; empty if all. */
function describeReached({blocks, share}, count, gpu) {
  const most = Math.ceil(count / gpu.multiprocessors);
  return most >= blocks ? '' : ` The grid does not reach that: its ${plural(count, 'tile block')} put at most ${most} on each of the ` +
    `${gpu.multiprocessors} multiprocessors of the ${gpu.name}, which is an occupancy of ${formatShare(share * most / blocks)}. ` +
    'A larger grid comes first: room for more thread blocks on a multiprocessor does not speed up this one.';
}
