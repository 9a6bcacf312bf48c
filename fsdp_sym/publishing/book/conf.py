"""How Sphinx is told to make the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

STYLES: Final = ("fonts.css", "colours.css", "book.css")
SCRIPT: Final = "scrollable.js"
MATHJAX_FILE: Final = "mathjax.js"
_TEMPLATES: Final = Path(__file__).parent / "templates"


def settings(static: Path) -> dict[str, Any]:
    """Sphinx's settings.

    Parameters
    ----------
    static : Path
        The folder with styles, scripts and MathJax, which is copied beside the pages.
    """
    return {
        "project": "fsdp_sym",
        "html_title": "fsdp_sym",
        "language": "en",
        "smartquotes": False,  # "--set" is two hyphens
        "extensions": ["myst_nb", "fsdp_sym.publishing.book.once"],
        "myst_enable_extensions": ["dollarmath"],
        "myst_heading_anchors": 3,
        "suppress_warnings": ["myst.header"],  # a lesson's sections are of the third rank, under a title of the first
        "nb_execution_mode": "off",
        "nb_render_markdown_format": "myst",
        "html_theme": "furo",
        "html_theme_options": {"top_of_page_buttons": []},
        "templates_path": [str(_TEMPLATES)],
        "html_static_path": [str(static)],
        "html_favicon": str(static / "icon.svg"),  # without one a browser asks the server's root for it
        "html_css_files": list(STYLES),
        "html_js_files": [SCRIPT],
        "html_copy_source": False,
        "html_show_copyright": False,
        "html_show_sphinx": False,
        "html_show_search_summary": False,  # it fetches pages, which a browser refuses to one that was opened from a folder
        "html_use_index": False,
        "mathjax_path": MATHJAX_FILE,
        # Its menu would make every formula a stop for the tab key.
        "mathjax3_config": {"options": {"enableMenu": False}, "svg": {"fontCache": "local"}},
    }
