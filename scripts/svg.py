# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes SVG pictures whose colours adapt to a light or dark page, like those of `tilewright draw`."""

from xml.sax.saxutils import escape

# Pale and dark: the first colours of tilewright/draw/Palette.cpp.
COLORS = {"blue": ("#a6cee3", "#1f4e79"), "orange": ("#fdbf6f", "#7a4a0f"),
          "green": ("#b2df8a", "#2f5e1e"), "red": ("#fb9a99", "#7a2a2a"),
          "purple": ("#cab2d6", "#4b3169"), "yellow": ("#ffff99", "#66611a"),
          "teal": ("#8dd3c7", "#1d5f57"), "pink": ("#fccde5", "#6e2f55"),
          "grey": ("#d9d9d9", "#4a4a4a")}
# Of text that stands on the page, text in boxes, outlines, and lines with arrows.
INKS = {"ink": ("#24292f", "#d0d7de"), "label": ("#111", "#fff"), "edge": ("#555", "#aaa"),
        "line": ("#6e7781", "#8b949e")}
MARGIN = 12


def style() -> str:
    def rules(shade: int) -> str:
        fills = "".join(f".tw .{name}{{fill:{both[shade]}}}" for name, both in COLORS.items())
        inks = {name: both[shade] for name, both in INKS.items()}
        return (f"{fills}.tw text{{fill:{inks['ink']}}}.tw .label{{fill:{inks['label']}}}"
                f".tw .edge{{stroke:{inks['edge']}}}.tw .line{{stroke:{inks['line']}}}"
                f".tw .head{{fill:{inks['line']}}}")

    return ("<style>.tw{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif}"
            ".tw .title{font-weight:bold}.tw .small{font-size:10px}.tw .middle{text-anchor:middle}"
            ".tw .end{text-anchor:end}.tw .edge,.tw .line{fill:none;stroke-width:1}.tw .thin{stroke-width:.4}"
            ".tw .thick{stroke-width:2}.tw .dashed{stroke-dasharray:4 3}"
            f"{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}</style>")


class Picture:
    """Shapes are drawn in the order of the calls. `classes` are names of the style."""

    def __init__(self, title: str):
        self.title = title
        self.parts: list[str] = []
        self.right = self.bottom = 0.0

    def text(self, x: float, y: float, text: str, classes: str = "") -> None:
        self.parts.append(f"<text class='{classes}' x='{x:g}' y='{y:g}'>{escape(text)}</text>")
        wide = len(text) * (5.6 if "small" in classes else 7.6 if "title" in classes else 6.6)
        self.reach(x + (0 if "end" in classes else wide / 2 if "middle" in classes else wide), y + 3)

    def box(self, x: float, y: float, width: float, height: float, color: str = "", label: str = "",
            classes: str = "edge thin") -> None:
        """A rectangle, and in its middle a label."""
        if color:
            self.parts.append(f"<rect class='{color}' x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}'/>")
        if classes:
            self.parts.append(f"<rect class='{classes}' x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}'/>")
        if label:
            small = "small " if height < 16 or len(label) * 7 > width else ""
            ink = "label " if color else ""
            self.text(x + width / 2, y + height / 2 + (3.5 if small else 4), label, f"{ink}{small}middle")
        self.reach(x + width, y + height)

    def line(self, *points: tuple[float, float], classes: str = "line") -> None:
        path = "L".join(f"{x:g} {y:g}" for x, y in points)
        self.parts.append(f"<path class='{classes}' d='M{path}'/>")
        for x, y in points:
            self.reach(x, y)

    def arrow(self, *points: tuple[float, float], classes: str = "line") -> None:
        """A line with a head at its last point."""
        (x0, y0), (x, y) = points[-2:]
        length = max(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5, 1e-9)
        dx, dy = (x - x0) / length, (y - y0) / length
        self.line(*points[:-1], (round(x - 4 * dx, 2), round(y - 4 * dy, 2)), classes=classes)
        corners = [(x, y), (x - 6 * dx - 3 * dy, y - 6 * dy + 3 * dx), (x - 6 * dx + 3 * dy, y - 6 * dy - 3 * dx)]
        self.parts.append("<path class='head' d='M" + "L".join(f"{a:.5g} {b:.5g}" for a, b in corners) + "z'/>")

    def legend(self, x: float, y: float, *entries: tuple[str, str], step: float = 18) -> None:
        """A line for each color and its meaning."""
        for number, (color, meaning) in enumerate(entries):
            self.box(x, y + number * step, 14, 12, color)
            self.text(x + 20, y + number * step + 10, meaning)

    def reach(self, x: float, y: float) -> None:
        self.right, self.bottom = max(self.right, x), max(self.bottom, y)

    def svg(self) -> str:
        width, height = round(self.right + MARGIN), round(self.bottom + MARGIN)
        return (f"<svg xmlns='http://www.w3.org/2000/svg' class='tw' role='img' width='{width}' height='{height}' "
                f"viewBox='0 0 {width} {height}'>\n<title>{escape(self.title)}</title>\n{style()}\n"
                + "\n".join(self.parts) + "\n</svg>\n")
