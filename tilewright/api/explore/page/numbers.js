// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes numbers of the document and formats numbers for a reader. No DOM.

/** The numbers of a base64 text, little-endian `f32` or `f64`. */
function decodeNumbers(base64, type) {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  const size = type === 'f64' ? 8 : 4;
  const view = new DataView(bytes.buffer);
  const numbers = new (type === 'f64' ? Float64Array : Float32Array)(bytes.length / size);
  for (let i = 0; i < numbers.length; ++i)
    numbers[i] = size === 8 ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true);
  return numbers;
}

/** 12,345 */
const formatCount = number => Math.round(number).toLocaleString('en-US');

/** 12.3 k, 4.5 M: three significant digits with an SI prefix. */
function formatSI(number, unit = '') {
  if (Number.isInteger(number) && Math.abs(number) < 10000) return unit ? `${formatCount(number)} ${unit}` : formatCount(number);
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  let power = 0;
  while (Math.abs(number) >= 999.5 && power + 1 < prefixes.length) {
    number /= 1000;
    ++power;
  }
  const digits = number.toPrecision(3);
  const suffix = prefixes[power] + unit;
  return suffix ? `${digits} ${suffix}` : digits;
}

const formatBytes = bytes => formatSI(bytes, 'B');

/** Sizes of memories: 48 KiB */
const formatKiB = bytes => bytes < 1024 ? `${bytes} B` : `${Number((bytes / 1024).toFixed(1))} KiB`;

/** 0.3 %, 35 %, <0.1 % */
function formatShare(share) {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.05) return '<0.1 %';
  return `${percent && percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

/** 1.0×, 8.0×, 12× */
const formatRatio = ratio => `${ratio < 9.95 ? ratio.toFixed(1) : ratio.toFixed(0)}×`;

/** An element of a tile or an array: short, but with NaN and infinities by name. */
function formatValue(value, digits = 6) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+∞' : '−∞';
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return String(Number(value.toPrecision(digits)));
}

const formatBlock = block => `(${block.join(', ')})`;

/** "1 finding", "3 findings", "2 accesses" */
const plural = (count, noun) => count === 1 ? `1 ${noun}` : `${formatCount(count)} ${noun}${noun.endsWith('s') ? 'es' : 's'}`;

/** The coordinates of an element by its number in row-major order. */
function unravel(index, shape) {
  const coordinates = new Array(shape.length);
  for (let dim = shape.length; dim-- > 0;) {
    coordinates[dim] = index % shape[dim];
    index = Math.floor(index / shape[dim]);
  }
  return coordinates;
}

function ravel(coordinates, shape) {
  return coordinates.reduce((index, coordinate, dim) => index * shape[dim] + coordinate, 0);
}

/** The row-major number of the element at an offset in memory, or null if there is none. */
function elementAt(offset, shape, strides) {
  const coordinates = new Array(shape.length).fill(0);
  const dims = shape.map((_, dim) => dim).filter(dim => shape[dim] > 1 && strides[dim] > 0);
  for (const dim of dims.sort((a, b) => strides[b] - strides[a])) {
    coordinates[dim] = Math.floor(offset / strides[dim]);
    offset -= coordinates[dim] * strides[dim];
    if (coordinates[dim] >= shape[dim]) return null;
  }
  return offset === 0 ? ravel(coordinates, shape) : null;
}

/** Calls `visit` with the offsets of runs [first, length, stride, count]; `next` goes on in a run. */
function forEachOffset(runs, visit, next = offset => offset + 1) {
  for (const [first, length, stride, count] of runs)
    for (let run = 0; run < count; ++run) {
      const begin = first + run * stride;
      for (let offset = begin; offset < begin + length; offset = next(offset)) visit(offset);
    }
}

/** Whether runs [first, length, stride, count] cover an offset. */
function covers(runs, offset) {
  return runs.some(([first, length, stride, count]) => {
    const distance = offset - first;
    if (distance < 0) return false;
    const run = stride > 0 ? Math.min(Math.floor(distance / stride), count - 1) : 0;
    return distance - run * stride < length;
  });
}
