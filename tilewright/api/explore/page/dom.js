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

/** Where a key leads in a list from the index `at`; `page` is the number of entries that a page key skips. Null for other
    keys. */
function indexAfterKey(key, at, count, page) {
  const indices = {ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1};
  return key in indices ? Math.max(0, Math.min(count - 1, indices[key])) : null;
}

/** A list of tabs, of which one has the focus. The arrow keys, Home and End open another one. */
function tabList(name, label) {
  return element(name, {role: 'tablist', 'aria-label': label, onkeydown: openTabByKey});
}

function openTabByKey(event) {
  const list = event.currentTarget, tabs = [...list.querySelectorAll('[role=tab]')];
  const key = {ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp', Home: 'Home', End: 'End'}[event.key];
  const next = tabs[indexAfterKey(key, tabs.indexOf(event.target), tabs.length, 1)];
  if (!next || next === event.target) return;
  event.preventDefault();
  next.click();
  list.querySelector('[aria-selected=true]').focus();
}

/** A tab of such a list. */
function tabButton(attributes, isSelected, title) {
  return element('button', {role: 'tab', 'aria-selected': isSelected, tabindex: isSelected ? 0 : -1, ...attributes}, title);
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
