"""A picture as part of its page: outlines whose colours are variables of the page, so that it is light or dark as the page is.

Outlines that lie in a file of their own could follow neither the page's switch nor the paper it is printed on.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from ...figures.picture import Picture
from .colours import VARIABLE

# Who drew it, a style that would be the whole page's (the book has it for pictures alone), and space between elements.
_NOT_DRAWN: Final = re.compile(r"<metadata>.*?</metadata>|<style .*?</style>|\s+(?=[<>])", re.DOTALL)
_COLOUR: Final = re.compile(r"(?<=: )#[0-9a-f]{6}\b")
_NAME: Final = re.compile(r'(?<=\bid=")|(?<=href="#)|(?<=url\(#)')


def inline(picture: Picture, name: str) -> str:
    """The picture as an element of a page, on one line.

    Parameters
    ----------
    picture : Picture
    name : str
        Set before the names inside it, so that two pictures of one page share none.
    """
    drawn = picture.svg().decode()
    drawn = _NOT_DRAWN.sub("", drawn[drawn.index("<svg") :]).replace("\n", " ")
    drawn = _COLOUR.sub(lambda found: f"var(--{VARIABLE[found[0]]})", _NAME.sub(f"{name}-", drawn))
    said = f'class="drawn" role="img" aria-label="{escape(picture.alt)}"'
    return f'<div class="picture">{drawn.replace("<svg", f"<svg {said}", 1).strip()}</div>'
