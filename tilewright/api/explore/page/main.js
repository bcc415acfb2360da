// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the document, makes the views for which it has data, and connects them.

const isDark = () => (document.documentElement.dataset.theme ?? '') === 'dark' ||
  (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);

class App {
  constructor(data) {
    this.model = new Model(data);
    this.selection = new Selection();
    this.texts = this.model.texts();
    this.primary = Model.primary(this.texts);
    this.tabs = new Map();
    document.title = `${data.kernel} – Tilewright explore`;
    this.drawHeader(data);
    this.addViews();
    this.source = new SourceView(this, document.getElementById('source'));
    this.makeDivider();
    document.addEventListener('keydown', event => this.key(event));
    document.getElementById('tabs').addEventListener('keydown', openTabByKey);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
    this.openTab('findings');
    this.source.code?.draw();
  }

  addViews() {
    const {model} = this, data = model.document;
    this.addTab('findings', `Findings ${model.findings.length || ''}`.trim(), root => new FindingsView(this, root));
    this.addTab('arrays', 'Arrays', model.arrays.length && (root => new ArraysView(this, root)),
                'The document has no array arguments.');
    this.addTab('time', 'Time', model.trace.length && (root => new TimeView(this, root)), 'The document has no trace.');
    this.addTab('cost', 'Cost', (data.cost || data.counters) && (root => new CostView(this, root)),
                `The kernel did not run on the PTX machine. ${data.devices?.ptx?.failure ?? ''}`);
    const others = this.texts.filter(text => text !== this.primary && text.kind !== 'source');
    this.addTab('code', 'Code', others.length && (root => new StagesView(this, root, others)), 'The document has no generated code.');
    if (data.compare) this.addTab('compare', 'Compare', root => new CompareView(this, root));
  }

  /** A view without data has no tab; the header says why. */
  addTab(name, title, make, whyNot) {
    if (!make) {
      this.absent.append(element('span.absent', {title: whyNot}, `no ${title.toLowerCase()}`));
      return;
    }
    const tab = element('button', {role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`,
                                   onclick: event => this.clickTab(event, name)}, title);
    const panel = element('div.panel', {role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, hidden: true});
    document.getElementById('tabs').append(tab);
    document.getElementById('panels').append(panel);
    this.tabs.set(name, {tab, panel, view: make(panel)});
  }

  /** After a click with the pointer, keys are those of the view: the tab does not keep the focus. */
  clickTab(event, name) {
    this.openTab(name);
    if (event.detail) event.currentTarget.blur();
  }

  openTab(name) {
    if (!this.tabs.has(name)) return;
    this.tab = name;
    for (const [each, {tab, panel}] of this.tabs) {
      tab.setAttribute('aria-selected', each === name);
      tab.tabIndex = each === name ? 0 : -1;
      panel.hidden = each !== name;
    }
    this.tabs.get(name).view.draw?.();
  }

  /** Selects a finding with its line and step; opens a tab unless it is null. */
  showFinding(index, {tab, place}) {
    const accesses = this.model.accessesOf(this.model.findings[index]);
    const chosen = place ? accesses.find(access => samePlace(access.place, place)) : accesses.at(-1);
    if (tab) this.openTab(tab);
    this.selection.set({finding: index, place: chosen?.place ?? null, step: chosen?.step ?? this.selection.step});
  }

  /** Opens a stage at one of its lines, from 1. */
  openStage(stage, line) {
    this.openTab('code');
    this.tabs.get('code').view.goTo(stage, line);
  }

  drawHeader(data) {
    this.absent = element('span.absences');
    const outcome = name => {
      const device = data.devices[name], count = this.model.findings.filter(finding => finding.device === name).length;
      const state = device.failure ? 'cannot run it' : count ? plural(count + device.unlisted_findings, 'finding') : device.outcome;
      const kind = device.failure ? 'failed' : count && device.outcome === 'succeeded' ? 'warned' : device.outcome;
      return element(`span.chip.${kind}`, {title: device.failure ?? ''},
                     `${namesOfDevices[name]}: ${state}`);
    };
    document.getElementById('header').append(
      element('h1', {title: `@${data.kernel}`}, `@${data.kernel}`),
      element('span.facts', {}, `grid ${data.grid.join(' × ')} · ${nameOfTarget(data.cost, data.target)}`),
      element('span.chips', {}, Object.keys(namesOfDevices).filter(name => data.devices?.[name]).map(outcome)), this.absent,
      element('span.spacer'),
      element('button', {title: 'Keys (?)', onclick: () => this.showKeys()}, '?'),
      element('button', {title: 'Light or dark', id: 'theme', onclick: () => this.changeTheme()}, '◐'));
  }

  changeTheme() {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    this.redraw();
  }

  redraw() { this.tabs.get(this.tab)?.view.draw?.(); }

  // --- Divider and keys -----------------------------------------------------------------

  makeDivider() {
    const divider = document.getElementById('divider'), main = document.getElementById('main');
    const set = share => {
      const percent = Math.min(80, Math.max(20, 100 * share));
      main.style.setProperty('--left', `${percent}%`);
      divider.setAttribute('aria-valuenow', Math.round(percent));
    };
    divider.addEventListener('pointerdown', event => divider.setPointerCapture(event.pointerId));
    divider.addEventListener('pointermove', event => { if (event.buttons) set(event.clientX / main.clientWidth); });
    divider.addEventListener('keydown', event => {
      const step = {ArrowLeft: -0.05, ArrowRight: 0.05}[event.key];
      if (!step) return;
      set(divider.offsetLeft / main.clientWidth + step);
      event.preventDefault();
    });
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey ||
        /^(input|select|textarea)$/i.test(event.target.tagName)) return;
    const all = ['findings', 'arrays', 'time', 'cost', 'code', 'compare'];
    const actions = {
      '?': () => this.showKeys(), t: () => this.changeTheme(), f: () => this.source.toggleFigures(),
      n: () => this.nextFinding(1), p: () => this.nextFinding(-1), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
    };
    if (/^[1-9]$/.test(event.key)) this.openTab(all[event.key - 1]);
    else if (!(event.key in actions)) {
      if (this.tab === 'time') this.tabs.get('time').view.key(event);
      return;
    } else if (actions[event.key]() === false) return;
    event.preventDefault();
  }

  /** Returns whether anything moves; if not, the key scrolls as usual. */
  step(by) { return this.tab === 'time' && this.tabs.get('time').view.move(by); }

  /** In the order in which the findings are shown. */
  nextFinding(by) {
    const {order} = this.tabs.get('findings').view, count = order.length;
    const current = order.indexOf(this.selection.finding);
    if (count) this.showFinding(order[current < 0 ? (by > 0 ? 0 : count - 1) : (current + by + count) % count], {tab: null});
  }

  showKeys() {
    const rows = [[`1 – ${this.model.document.compare ? 6 : 5}`, 'the views on the right'], ['n, p', 'next and previous finding'],
                  ['← →', 'operations, in the view Time'], ['f', 'show or hide the figures'],
                  ['t', 'light or dark'], ['?', 'this list'], ['Esc', 'close this list'],
                  ['Tab', 'move the focus'], ['Enter', 'open the finding, or press the button, with the focus'],
                  ['↑ ↓', 'lines or findings, in the list with the focus'],
                  ['Page ↑ ↓', 'the same by a page; 10 operations, in the view Time'],
                  ['Home, End', 'the first and last line, finding or operation'],
                  ['arrow keys', 'the next tab; move the array or the divider with the focus'],
                  ['+ − 0', 'zoom the array with the focus']];
    const dialog = document.getElementById('keys');
    if (dialog.open) {
      dialog.close();
      return;
    }
    const list = element('dl', {}, rows.flatMap(([key, text]) => [element('dt', {}, key), element('dd', {}, text)]));
    dialog.replaceChildren(element('h2', {}, 'Keys'), list, element('h2', {}, 'Marks'), marksLegend(),
                           element('h2', {}, 'Columns of the source'), columnsLegend(),
                           element('button', {onclick: () => dialog.close()}, 'Close'));
    dialog.showModal();
    dialog.scrollTop = 0; // not at the button, which has the focus
  }
}

/** What the signs beside the lines and in the figures mean. */
function marksLegend() {
  const label = number => element(`span.label.access${number}`, {}, number);
  const rows = [[element('span.marker.error', {}, '✖'), 'a line with an error'],
                [element('span.marker.warning', {}, '▲'), 'a line with a warning'],
                [element('span.marker.remark', {}, '●'), 'a line with remarks of the compilers'],
                [element('b.waste', {}, '8.0×'), 'accesses that cost more than the ideal: coalesced ones, or ones without bank conflicts'],
                [[label('1'), label('2')], 'the two accesses of a race: 1 ran first'],
                [element('span.mark-lit', {}, '▸'), 'lines of generated code that belong to the selected line']];
  return element('dl.marks', {}, rows.map(([sign, text]) => [element('dt', {}, sign), element('dd', {}, text)]));
}

/** What the figures of lines are. */
function columnsLegend() {
  return element('dl.columns', {}, lineFigures.map(({title, help}) => [element('dt', {}, title), element('dd', {}, `${help}.`)]),
                 element('dt'), element('dd', {}, 'A column in which no line has anything to show is left out.'));
}

const app = new App(JSON.parse(document.getElementById('data').textContent));
