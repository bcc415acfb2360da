# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page that `tilewright explore --serve` shows, while its kernel changes."""

import pathlib
import re
import signal
import subprocess
import time

from chromium import ScriptError
from kernels import ROOT


class Serving:
    """A server for a copy of a kernel in a folder."""

    def __init__(self, tilewright: pathlib.Path, folder: pathlib.Path):
        self.file = folder / "live.mlir"
        self.text = (ROOT / "test/explore/Inputs/columns.mlir").read_text()
        self.file.write_text(self.text)
        self.process = subprocess.Popen(
            [tilewright.resolve(), "explore", self.file, "--serve", "--grid", "64", "--arg", "iota(32x64xf32)", "--arg",
             "zeros(64x32xf32)"], stderr=subprocess.PIPE, text=True)
        self.address = re.search("http://[0-9.:]+/", self.process.stderr.readline())[0]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)
        self.process.stderr.close()


def holds(browser, condition: str) -> bool:
    try:
        return browser.run(f"(async () => Boolean({condition}))()")
    except ScriptError:  # the page was reloading
        return False


def wait_until(browser, condition: str) -> None:
    end = time.monotonic() + 60
    while not holds(browser, condition):
        if time.monotonic() > end:
            raise AssertionError(f"after a minute, this does not hold: {condition}; the page has " +
                                 browser.run("document.body.innerText.slice(0, 400)"))
        time.sleep(0.1)


def check_hidden(browser, serving: Serving, is_ready: str) -> None:
    """A hidden page asks nothing: it changes when it is shown again."""
    hide = "Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}}); document.dispatchEvent(new Event('visibilitychange'))"
    browser.run(hide.format("true"))
    serving.file.write_text(serving.text + "// hidden\n")
    wait_until(browser, "(await (await fetch('state?after=0')).json()).page !== "
               "Number(document.querySelector('[data-page]').dataset.page)")
    if browser.run("app.model.sources[0].text.endsWith('hidden\\n')"):
        raise AssertionError("a hidden page has reloaded")
    browser.run(hide.format("false"))
    wait_until(browser, f"{is_ready} && app.model.sources[0].text.endsWith('hidden\\n')")


def check(browser, tilewright: pathlib.Path, folder: pathlib.Path) -> None:
    has_app, notice = "typeof app !== 'undefined'", "document.querySelector('#live')"
    quiet = f"{notice}?.hidden"
    serving = Serving(tilewright, folder)
    try:
        browser.call("Page.navigate", url=serving.address)
        wait_until(browser, f"{has_app} && {quiet}")
        browser.run("app.openTab('cost'); app.selection.set({place: [0, 19]})")
        # The view and the line stay.
        serving.file.write_text(serving.text + "// changed\n")
        wait_until(browser, f"{has_app} && {quiet} && app.model.sources[0].text.endsWith('changed\\n')")
        found = browser.run("[app.tab, app.selection.place]")
        if found != ["cost", [0, 19]]:
            raise AssertionError(f"after a reload, expected the view and line as before, but found {found}")
        serving.file.write_text(serving.text.replace("reshape", "no_such_operation"))
        wait_until(browser, f"{notice}?.className === 'error' && {notice}.innerText.includes('no_such_operation')")
        if not browser.run("app.model.sources[0].text.endsWith('changed\\n')"):
            raise AssertionError("the last good page has gone")
        # The selected line goes, and the browser stores nothing: the page still follows.
        browser.run("app.selection.set({place: [0, splitLines(app.model.sources[0].text).length]})")
        serving.file.write_text(serving.text)
        wait_until(browser, f"{has_app} && {quiet} && !app.model.sources[0].text.endsWith('changed\\n')")
        browser.run("sessionStorage.setItem('tilewright-explore', 'no JSON'); Storage.prototype.setItem = () => { throw 'full'; }")
        serving.file.write_text(serving.text + "// again\n")
        wait_until(browser, f"{has_app} && {quiet} && app.model.sources[0].text.endsWith('again\\n')")
        check_hidden(browser, serving, f"{has_app} && {quiet}")
    finally:
        serving.stop()
    wait_until(browser, f"{notice}?.innerText.includes('has stopped')")
