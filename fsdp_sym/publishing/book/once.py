"""What Sphinx does anew for every page and need do once: the sidebar of pages that it does not list, and the stems of words.

Half of the time that the pages take went there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from posixpath import dirname
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

_BEFORE_THE_THEME: Final = 400  # which asks for the sidebar at 500


class _Stems(SearchEnglish):
    """The stems of English words, each found once."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._stem: Callable[[str], str] = cache(super().stem)

    def stem(self, word: str) -> str:
        return self._stem(word)


class _Sidebars:
    """Pages of one folder that the sidebar does not list have the same one."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}

    def share(self, app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
        if page in app.env.all_docs and "orphan" in app.env.metadata[page]:
            make, folder = context["toctree"], dirname(page)

            def shared(**how: Any) -> str:
                if folder not in self._made:
                    self._made[folder] = make(**how)
                return self._made[folder]

            context["toctree"] = shared


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.add_search_language(_Stems)
    app.connect("html-page-context", _Sidebars().share, priority=_BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
