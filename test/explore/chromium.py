# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drives a headless Chromium by the DevTools protocol, over a pipe: messages are JSON, each ended by a zero byte."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
LONGEST_WAIT = 120  # seconds


class ScriptError(Exception):
    """A script that threw."""


class Chromium:
    """One page. `errors` collects what the console reports, uncaught exceptions and requests to a network."""

    def __init__(self, width: int = 1280, height: int = 800):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            sys.exit(f"expected one of the programs {', '.join(PROGRAMS)}, but found none")
        self.folder = tempfile.TemporaryDirectory(prefix="explore-", ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()
        # Its sandbox does not work as root, which tests in containers are.
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
                   "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={self.folder.name}"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{read_commands} 4>&{write_answers}', "bash", program, *options, "about:blank"],
            pass_fds=(read_commands, write_answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self.number, self.received, self.events, self.errors, self.session = 0, b"", [], [], None
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size = width, height
        self.resize()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    # --- Messages -------------------------------------------------------------------------

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    text = answer["error"]["message"]
                    # A page that reloads has ended the script.
                    raise (ScriptError if "navigated" in text else RuntimeError)(f"{method}: {text}")
                return answer["result"]
            self.note(answer)

    def receive(self) -> dict:
        while b"\0" not in self.received:
            if not select.select([self.answers], [], [], LONGEST_WAIT)[0]:
                raise RuntimeError(f"Chromium has not answered for {LONGEST_WAIT} s")
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.received += piece
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def note(self, event: dict) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert", "warning"):
            self.errors.append(" ".join(str(each.get("value", each.get("description"))) for each in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:")):
            self.errors.append(f"the page requests {parameters['request']['url']}")

    # --- The page -------------------------------------------------------------------------

    def open(self, page: pathlib.Path) -> None:
        self.events, self.errors = [], []
        self.call("Page.navigate", url=page.resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive())

    def run(self, script: str):
        """The value of an expression, as JSON; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise ScriptError(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def point_in(self, selector: str) -> tuple[float, float]:
        """A point in an element that nothing hides, near its left edge: a line of code may be wider than the window."""
        found = self.run(f"""(() => {{
          const found = document.querySelector({json.dumps(selector)});
          if (!found) return null;
          found.scrollIntoView({{block: 'nearest', inline: 'nearest'}});
          const {{left, top, width, height}} = found.getBoundingClientRect();
          const x = left + Math.min(width / 2, 20), y = top + height / 2, above = document.elementFromPoint(x, y);
          return {{x, y, isOnTop: width > 0 && found.contains(above)}};
        }})()""")
        if found is None:
            raise AssertionError(f"the page has no '{selector}'")
        if not found["isOnTop"]:
            raise AssertionError(f"'{selector}' is hidden")
        return found["x"], found["y"]

    def click(self, selector: str) -> None:
        x, y = self.point_in(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "PageUp": 33, "PageDown": 34,
                 "End": 35, "Home": 36}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes.get(key, 0),
                      **(text if kind == "keyDown" else {}))

    def screenshot(self, file: pathlib.Path, selector: str = "html") -> None:
        time.sleep(0.1)  # the compositor may lag behind the last script
        clip = self.run(f"(({{x, y, width, height}}) => ({{x, y, width, height, scale: 1}}))"
                        f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip)["data"]))

    def resize(self, width: int | None = None, height: int | None = None) -> None:
        """To the size of the beginning unless there is another one."""
        self.call("Emulation.setDeviceMetricsOverride", width=width or self.size[0], height=height or self.size[1],
                  deviceScaleFactor=1, mobile=False)

    def use_dark_theme(self, dark: bool) -> None:
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
