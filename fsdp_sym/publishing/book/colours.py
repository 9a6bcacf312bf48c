"""The colours of the book, light and dark, as one stylesheet: in the pages' heads they would stand three times in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...figures.style import BLUE, DARK, PAPER, SKY

_BACKGROUND: Final = "color-background-primary"  # this name and the next are the theme's own
_BRAND: Final = ("color-brand-primary", "color-brand-content", "color-brand-visited")
VARIABLE: Final = {light: _BACKGROUND if light == PAPER else f"picture-{light.removeprefix('#')}" for light in DARK}
"""The variable in whose place a page puts a picture's colour, by the colour as it is drawn."""


def colours_css() -> str:
    """The stylesheet; the theme chooses dark in the same places."""
    drawn = [light for light in DARK if light != PAPER]
    light = _declared({**dict.fromkeys(_BRAND, BLUE), **{VARIABLE[colour]: colour for colour in drawn}})
    dark = _declared({**dict.fromkeys(_BRAND, SKY), **{VARIABLE[colour]: DARK[colour] for colour in drawn}})
    as_the_system_is = f'@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark} }}'
    return f'body {light}\n@media not print {{\nbody[data-theme="dark"] {dark}\n{as_the_system_is}\n}}\n'


def _declared(colours: Mapping[str, str]) -> str:
    return f"{{ {' '.join(f'--{name}: {colour};' for name, colour in colours.items())} }}"
