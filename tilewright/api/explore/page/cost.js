// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel costs on a GPU: resources, occupancy with its limiter, instructions by kind, and the roofline.

const namesOfTypes = {f64: 'f64', f32: 'f32', tf32: 'tf32 products', f16: 'f16 products', f8: 'f8 products', i8: 'i8 products'};

class CostView {
  constructor(app, root) {
    this.app = app;
    const {cost, counters} = app.model.document;
    // A grid that leaves multiprocessors idle comes before the occupancy of those that it uses.
    const parts = [cost && this.resources(cost),
                   cost?.occupancy?.length && cost.gpus?.length && wavesSection(cost, app.model.blockCount(), app.model.document.target),
                   cost?.occupancy?.length && this.occupancy(cost),
                   cost?.gpus?.length && intensityOf(cost) && this.roofline(cost), counters?.kinds && this.kinds(counters)];
    root.append(...parts.filter(Boolean));
  }

  draw() {}

  resources(cost) {
    const [unknown, why] = whyNoRegisters(cost), ptxas = value => value === null ? unknown : null;
    const facts = [
      ['threads per thread block', cost.threads === null ? '–' : formatCount(cost.threads)],
      ['registers per thread', ptxas(cost.registers) ?? formatCount(cost.registers)],
      ['spills per thread', ptxas(cost.spill_bytes) ?? formatBytes(cost.spill_bytes)],
      ['shared memory per thread block', cost.shared_bytes === null ? '–' : formatKiB(cost.shared_bytes)],
      ['global traffic', cost.bytes_moved === null ? 'not counted' : formatBytes(cost.bytes_moved)],
      ['floating-point operations', formatSI(cost.floating_point_operations)],
      ['intensity', intensityOf(cost) === null ? '–' : `${formatSI(intensityOf(cost))} op/B`],
    ];
    return element('dl.tiles', {}, facts.map(([name, value]) => element('div', {}, element('dt', {}, name),
      value === unknown ? element('dd.absent', {title: why}, value) : element('dd', {}, value))));
  }

  occupancy(cost) {
    const {occupancy, registers} = cost, {model} = this.app, own = model.occupancy() ?? occupancy[0];
    const gpu = cost.gpus.find(({sm}) => sm === own.sm), count = model.blockCount();
    const header = ['GPU', 'thread blocks', 'warps', 'occupancy', '', 'limited by'].map(text => element('th', {}, text));
    const rows = occupancy.map(({sm, blocks, warps, share, limiter}) => element(`tr${sm === own.sm ? '.own' : ''}`, {},
      element('td', {}, nameOfTarget(cost, sm)), element('td.figure', {}, String(blocks)), element('td.figure', {}, String(warps)),
      element('td.figure', {}, formatShare(share)),
      element('td', {}, element('span.meter', {}, element('i', {style: `width: ${100 * share}%`}))), element('td', {}, limiter)));
    const hint = registers === null ? ' Without ptxas the number of registers is unknown, so the real occupancy may be lower.' : '';
    return element('section', {}, element('h3', {}, 'Possible occupancy of a multiprocessor'),
      element('p', {}, `A multiprocessor of ${nameOfTarget(cost, own.sm)} has room for ${plural(own.blocks, 'thread block')} at a time: ` +
        `${plural(own.warps, 'warp')}, ${formatShare(own.share)} of the most that it can run.` +
        `${gpu ? describeReached(own, count, gpu) : ''} ${adviceFor(own, registers)}${hint}`),
      element('table', {}, element('thead', {}, element('tr', {}, header)), element('tbody', {}, rows)));
  }

  kinds({kinds, instructions}) {
    const all = Object.entries(kinds).filter(([, count]) => count).sort((a, b) => b[1] - a[1]);
    const largest = all[0]?.[1] ?? 1;
    return element('section', {}, element('h3', {}, `${formatSI(instructions)} instructions by kind`),
      element('table.kinds', {}, element('tbody', {}, all.map(([kind, count]) => element('tr', {}, element('td', {}, kind),
        element('td.figure', {}, formatCount(count)), element('td.figure', {}, formatShare(count / instructions)),
        element('td.wide', {}, element('i.bar', {style: `width: ${100 * count / largest}%`})))))));
  }

  roofline(cost) {
    const select = element('select', {'aria-label': 'GPU', onchange: () => draw()},
      cost.gpus.map((gpu, index) => element('option', {value: index}, nameOfGpu(gpu))));
    const own = cost.gpus.findIndex(gpu => gpu.sm === this.app.model.document.target);
    select.value = Math.max(0, own);
    const picture = element('div'), text = element('p');
    const draw = () => {
      const gpu = cost.gpus[select.value];
      picture.replaceChildren(drawRoofline(gpu, intensityOf(cost)));
      text.textContent = cost.units ? describeUnits(gpu, cost) : describeRoofline(gpu, intensityOf(cost));
    };
    draw();
    return element('section', {}, element('header', {}, element('h3', {}, 'Roofline'), select), text, picture);
  }
}

/** Operations per second that memory and the units of a type allow at an intensity. */
const attainable = (gpu, type, intensity) => Math.min(gpu.peak[type], gpu.bandwidth * intensity);

function describeRoofline(gpu, intensity) {
  const types = Object.keys(gpu.peak).filter(type => gpu.peak[type]);
  const bound = types.filter(type => gpu.bandwidth * intensity < gpu.peak[type]);
  const limit = `${whenFull(gpu)} ${formatSI(intensity)} op/B, memory bandwidth allows at most ${formatSI(gpu.bandwidth * intensity, 'op/s')}`;
  if (bound.length === types.length) return `${limit}: memory limits this kernel, whatever its element type.`;
  if (!bound.length) return `${limit}, more than the units of any type do: arithmetic limits this kernel.`;
  return `${limit}. Memory is the limit if the kernel computes in ${bound.map(type => namesOfTypes[type] ?? type).join(', ')}; ` +
    'for the other types, the arithmetic units are.';
}

/** The peaks of a GPU from the highest down. Types with the same peak share a label; labels are a line apart. */
function peakLabels(gpu, y) {
  const types = Object.keys(gpu.peak).filter(type => gpu.peak[type]);
  const values = [...new Set(types.map(type => gpu.peak[type]))].sort((a, b) => b - a);
  let lowest = -Infinity;
  return values.map(value => {
    lowest = Math.max(y(value), lowest + 13);
    const names = types.filter(type => gpu.peak[type] === value).map(type => namesOfTypes[type] ?? type);
    return {value, name: names.join(', ').replace(/ products(?=, .* products$)/g, ''), at: lowest};
  });
}

function drawRoofline(gpu, intensity) {
  const width = 580, height = 260, left = 64, top = 24, bottom = 34, right = 130;
  const types = Object.keys(gpu.peak).filter(type => gpu.peak[type]);
  const peak = Math.max(...types.map(type => gpu.peak[type]));
  const range = {x: [Math.min(0.05, intensity / 4), Math.max(2000, intensity * 4)]};
  range.y = [Math.min(gpu.bandwidth * range.x[0] * 2, gpu.bandwidth * intensity / 3), peak * 2];
  const scale = (value, [low, high], size) => Math.log(value / low) / Math.log(high / low) * size;
  const x = value => left + scale(value, range.x, width - left - right);
  const y = value => height - bottom - scale(value, range.y, height - bottom - top);
  const parts = [];
  for (let power = Math.ceil(Math.log10(range.x[0])); 10 ** power <= range.x[1]; ++power)
    parts.push(element('line.grid', {x1: x(10 ** power), x2: x(10 ** power), y1: top, y2: height - bottom}),
               element('text.tick', {x: x(10 ** power), y: height - bottom + 14, 'text-anchor': 'middle'}, String(10 ** power)));
  for (let power = Math.ceil(Math.log10(range.y[0])); 10 ** power <= range.y[1]; ++power)
    parts.push(element('line.grid', {x1: left, x2: width - right, y1: y(10 ** power), y2: y(10 ** power)}),
               element('text.tick', {x: left - 6, y: y(10 ** power) + 4, 'text-anchor': 'end'}, formatSI(10 ** power)));
  const slopeStart = Math.max(range.x[0], range.y[0] / gpu.bandwidth);
  parts.push(element('path.roof', {d: `M${x(slopeStart)},${y(gpu.bandwidth * slopeStart)} L${x(peak / gpu.bandwidth)},${y(peak)}`}));
  for (const {value, name, at} of peakLabels(gpu, y))
    parts.push(element('path.roof', {d: `M${x(value / gpu.bandwidth)},${y(value)} L${width - right},${y(value)}`}),
               element('path.leader', {d: `M${width - right},${y(value)} L${width - right + 8},${at}`}),
               element('text.tick', {x: width - right + 11, y: at + 4}, name));
  parts.push(element('line.kernel', {x1: x(intensity), x2: x(intensity), y1: top, y2: height - bottom}));
  for (const type of types)
    parts.push(element('circle.kernel', {cx: x(intensity), cy: y(attainable(gpu, type, intensity)), r: 4.5},
      element('title', {}, `${type}: at most ${formatSI(attainable(gpu, type, intensity), 'op/s')}`)));
  const isRight = x(intensity) > width / 2;
  parts.push(element('text.kernel', {x: x(intensity) + (isRight ? -6 : 6), y: height - bottom - 8,
                                     'text-anchor': isRight ? 'end' : 'start'}, 'this kernel'),
             element('text.tick', {x: (left + width - right) / 2, y: height - 4, 'text-anchor': 'middle'}, 'intensity, operations per byte'),
             element('text.tick', {x: left - 6, y: 12, 'text-anchor': 'end'}, 'op/s'));
  return element('svg.roofline', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
                                 'aria-label': describeRoofline(gpu, intensity)}, parts);
}
