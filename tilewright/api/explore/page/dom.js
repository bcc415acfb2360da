// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes elements, and keeps what is selected. Text of the document only ever becomes text nodes.

const svgNames = new Set(['svg', 'g', 'path', 'line', 'rect', 'circle', 'polygon', 'text', 'title', 'defs', 'marker']);

/** element('button.wide', {title: 'Help', onclick: f}, 'text', child...) */
function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const made = svgNames.has(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag)
                                 : document.createElement(tag);
  if (classes.length) made.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key.startsWith('aria-')) made.setAttribute(key, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return made;
}

/** What the reader has selected. Views listen, and are told which members changed. */
class Selection {
  constructor() {
    this.place = null;    // a source line
    this.finding = null;  // an index into the findings
    this.step = null;     // of the trace
    this.listeners = [];
  }

  listen(listener) { this.listeners.push(listener); }

  set(change) {
    const changed = Object.keys(change).filter(key => change[key] !== this[key]);
    Object.assign(this, change);
    for (const listener of this.listeners) listener(changed, this);
  }
}
