"""What Sphinx does anew for every page and need do once: the sidebar's titles, all of it for pages that it does not list, stems of words.

Half of the time that the pages take went there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from posixpath import dirname
from typing import Any, Final

from sphinx.addnodes import toctree
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.search.en import SearchEnglish

_BEFORE_THE_THEME: Final = 400  # which asks for the sidebar at 500


class _Stems(SearchEnglish):
    """The stems of English words, each found once."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._stem: Callable[[str], str] = cache(super().stem)

    def stem(self, word: str) -> str:
        return self._stem(word)


def _titles(contents: Any) -> Any:
    """A page's contents without its sections, as the theme asks for them: its title, and the lists of pages below it."""
    contents = contents.deepcopy()
    for item in contents.children:
        if len(item) > 1:
            item[1:] = [type(item[1])("", *lists)] if (lists := list(item.findall(toctree))) else []
    return contents


class _Sidebars:
    """They list titles alone, and pages of one folder that they do not list have the same one."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}
        self._titles: dict[str, Any] = {}

    def trim(self, app: Sphinx, env: BuildEnvironment) -> None:
        """Leave the sections out before any page is written: Sphinx copies all of them for each."""
        self._titles = {page: _titles(env.tocs[page]) for pages in env.toctree_includes.values() for page in pages}

    def share(self, app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
        whole = context["toctree"]

        def make(**how: Any) -> str:
            contents, app.env.tocs = app.env.tocs, self._titles
            try:
                return str(whole(**how))
            finally:
                app.env.tocs = contents

        context["toctree"] = make
        if page in app.env.all_docs and "orphan" in app.env.metadata[page]:
            folder = dirname(page)

            def shared(**how: Any) -> str:
                if folder not in self._made:
                    self._made[folder] = make(**how)
                return self._made[folder]

            context["toctree"] = shared


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.add_search_language(_Stems)
    sidebars = _Sidebars()
    app.connect("env-check-consistency", sidebars.trim)
    app.connect("html-page-context", sidebars.share, priority=_BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
