# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are the page's colours legible, and do they differ for readers with a colour vision deficiency?

Contrast is that of WCAG 2.2 (1.4.3). Deficiencies are simulated as by Machado, Oliveira and Fernandes, "A Physiologically-
based Model for Simulation of Color Vision Deficiency" (2009), severity 1; colours differ by their distance in CIELAB.
"""

import itertools

LEAST_CONTRAST = 4.5   # of text
LEAST_DISTANCE = 15.0  # a just noticeable difference is about 2.3

DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def linear(colour: str) -> list[float]:
    """#rrggbb as linear light from 0 to 1."""
    channels = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]


def apply(matrix, vector) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((apply(TO_XYZ, linear(colour))[1] for colour in (first, second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def lab(light: list[float]) -> tuple[float, float, float]:
    scaled = [value / white for value, white in zip(apply(TO_XYZ, light), WHITE)]
    x, y, z = (value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116 for value in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: str, second: str, deficiency: str) -> float:
    seen = [lab([min(1.0, max(0.0, value)) for value in apply(DEFICIENCIES[deficiency], linear(colour))])
            for colour in (first, second)]
    return sum((a - b) ** 2 for a, b in zip(*seen)) ** 0.5


def illegible(inks: dict[str, str], papers: dict[str, str]) -> list[str]:
    """The pairs whose contrast is too low, with it."""
    pairs = ((ink, paper, contrast(inks[ink], papers[paper])) for ink in inks for paper in papers)
    return [f"{ink} on {paper}: {found:.1f}" for ink, paper, found in pairs if found < LEAST_CONTRAST]


def alike(colours: dict[str, str]) -> list[str]:
    """The pairs that look alike with a deficiency, with their distance."""
    return [f"{first} and {second} with {deficiency}: {found:.0f}"
            for first, second in itertools.combinations(colours, 2) for deficiency in DEFICIENCIES
            if (found := distance(colours[first], colours[second], deficiency)) < LEAST_DISTANCE]
