// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of pages that `tilewright explore --serve` shows: reloads when there is another page, and says when the kernel
// runs, cannot be explored, or the server has stopped.
'use strict';
{
  const page = Number(document.currentScript.dataset.page), memory = 'tilewright-explore';
  const notice = document.createElement('div');
  notice.id = 'live';
  notice.setAttribute('role', 'status');
  document.body.prepend(notice);

  const show = (kind, text, details = '') => {
    const report = document.createElement('pre');
    report.textContent = details;
    notice.className = kind;
    notice.replaceChildren(text, ...details ? [report] : []);
    notice.hidden = !text;
  };

  const hasApp = () => typeof app !== 'undefined';
  /** The view and the line stay over a reload. */
  const remember = () => {
    if (hasApp()) sessionStorage.setItem(memory, JSON.stringify({tab: app.tab, place: app.selection.place}));
  };
  const restore = () => {
    const {tab, place} = JSON.parse(sessionStorage.getItem(memory) ?? '{}');
    if (!hasApp()) return;
    if (tab) app.openTab(tab);
    if (place && place[0] < app.model.sources.length) app.selection.set({place});
  };

  const apply = state => {
    if (state.page !== page) {
      remember();
      location.reload();
    } else if (state.running) {
      show('running', 'Exploring …');
    } else {
      const older = hasApp() ? 'The page shows the last version that could be explored.' : '';
      show(state.error ? 'error' : '', state.error ? `The kernel cannot be explored. ${older}` : '', state.error ?? '');
    }
  };

  const watch = async () => {
    for (let after = 0; ;) {
      try {
        const state = await (await fetch(`state?after=${after}`, {cache: 'no-store'})).json();
        after = state.version;
        apply(state);
      } catch {
        show('error', 'The server does not answer: tilewright explore --serve has stopped.');
        await new Promise(resolve => setTimeout(resolve, 1000));
      }
    }
  };
  restore();
  watch();
}
