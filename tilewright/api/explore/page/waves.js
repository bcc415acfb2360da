// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the blocks of the grid fill the GPUs, and which units execute most of the operations.

/** The waves on each GPU, and whether multiprocessors stay idle. */
function wavesSection(cost, blocks, target) {
  const header = ['GPU', 'multiprocessors', 'idle', 'waves'].map(text => element('th', {}, text));
  const rows = cost.gpus.map(({name, sm, multiprocessors, idle_multiprocessors, waves}) => element(`tr${sm === target ? '.own' : ''}`, {},
    element('td', {}, nameOfGpu({name, sm})), element('td.figure', {}, String(multiprocessors)),
    element('td.figure', {}, idle_multiprocessors ? formatCount(idle_multiprocessors) : '–'),
    element('td.figure', {}, waves === null ? '–' : formatCount(waves))));
  const own = cost.gpus.find(gpu => gpu.sm === target);
  return element('section', {}, element('h3', {}, `${plural(blocks, 'tile block')} on a GPU`),
    own ? element('p', {}, describeWaves(blocks, own)) : null,
    element('table.waves', {}, element('thead', {}, element('tr', {}, header)), element('tbody', {}, rows)));
}

function describeWaves(blocks, {name, multiprocessors, idle_multiprocessors, waves}) {
  if (waves === null) return `No thread block fits on a multiprocessor of the ${name}.`;
  if (idle_multiprocessors)
    return `The grid has fewer tile blocks than the ${name} has multiprocessors: ${formatCount(idle_multiprocessors)} of ` +
      `${formatCount(multiprocessors)} are idle. Smaller tiles make more tile blocks.`;
  if (waves === 1) return `All tile blocks fit on the ${name} at once, so they run in one wave.`;
  return `As many tile blocks as fit on the ${name} at once are a wave; the grid makes ${formatCount(waves)}. A last wave with few ` +
    'tile blocks leaves multiprocessors idle, which matters if there are few waves.';
}

const namesOfUnits = {f64: 'f64 arithmetic', f32: 'f32 arithmetic (fused multiply-adds)', tf32: 'tf32 products', f16: 'f16 or bf16 products',
                      f8: 'f8 products', f4: 'f4 products', i8: 'i8 products'};

/** Operations of all units for each byte that is moved; null if nothing was. */
function intensityOf({bytes_moved: bytes, operations_by_units: byUnits = {}}) {
  return bytes ? Object.values(byUnits).reduce((sum, count) => sum + count, 0) / bytes : null;
}

/** What limits the kernel on a GPU, by the units that execute most of its operations. */
function describeUnits(gpu, cost) {
  const {units, operations_by_units: byUnits} = cost, intensity = intensityOf(cost);
  const all = Object.values(byUnits).reduce((sum, count) => sum + count, 0);
  const most = `${formatShare(byUnits[units] / all)} of the operations are ${namesOfUnits[units]}`;
  if (!gpu.peak[units]) return `${most}, for which the ${gpu.name} has no units, or their peak is not known.`;
  const bound = gpu.bandwidth * intensity < gpu.peak[units];
  return `${most}. ${whenFull(gpu)} ${formatSI(intensity)} op/B, ${bound ? 'memory bandwidth' : 'arithmetic'} limits the kernel on the ` +
    `${gpu.name}, to ${formatSI(attainable(gpu, units, intensity), 'op/s')}.`;
}

/** A roofline is that of a GPU without idle multiprocessors. */
const whenFull = ({idle_multiprocessors: idle}) => idle ? 'Once the grid fills the GPU, at' : 'At';
