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
  /** The view and the line stay over a reload, if the browser can store them. */
  const remember = () => {
    if (!hasApp()) return;
    try {
      sessionStorage.setItem(memory, JSON.stringify({tab: app.tab, place: app.selection.place}));
    } catch {}
  };
  const remembered = () => {
    try {
      return JSON.parse(sessionStorage.getItem(memory)) ?? {};
    } catch {
      return {};
    }
  };
  const restore = () => {
    if (!hasApp()) return;
    const {tab, place} = remembered();
    if (tab) app.openTab(tab);
    const {sources} = app.model;
    if (!place || place[0] >= sources.length || !app.model.isShown(place)) return;
    const {text} = sources[place[0]];
    if (!text || place[1] <= splitLines(text).length) app.selection.set({place});
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

  const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

  /** The state when it is another one than `after`. Browsers open only a few connections to a server, so that hidden pages
      that wait for an answer would keep others from loading: a hidden page does not ask. */
  const ask = async after => {
    const hidden = new AbortController(), stop = () => hidden.abort('hidden');
    while (document.hidden) await new Promise(resolve => document.addEventListener('visibilitychange', resolve, {once: true}));
    document.addEventListener('visibilitychange', stop, {once: true});
    try {
      return await (await fetch(`state?after=${after}`, {cache: 'no-store', signal: hidden.signal})).json();
    } finally {
      document.removeEventListener('visibilitychange', stop);
    }
  };

  const watch = async () => {
    for (let after = 0; ;) {
      try {
        const state = await ask(after);
        after = state.version;
        apply(state);
      } catch (reason) {
        if (reason === 'hidden') continue;
        show('error', 'The server does not answer: tilewright explore --serve has stopped.');
        await pause(1000);
      }
    }
  };
  watch();
  restore();
}
