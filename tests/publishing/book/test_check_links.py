"""The checker of links sees each way in which one can be broken, and is content with a page that is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsdp_sym.publishing.book.check_links import broken_links

WHOLE = {
    "index.html": '<a href="sub/page.html#here">a</a> <a href="#">top</a> <a href="https://example.org/">cited</a>'
    '<link rel="stylesheet" href="style.css?v=1"><img src="data:image/png;base64,AAAA">'
    '<svg><use href="#icon"></use></svg><i id="icon"></i> <a href="mailto:a@example.org">write</a>',
    "sub/page.html": '<h1 id="here">b</h1> <a href="../index.html">home</a> <a href="a%20file.txt">file</a>',
    "sub/a file.txt": "",
    "style.css": '@font-face { src: url("data:font/woff2;base64,AAAA") } body { background: url(sub/page.html) }',
}


def site(folder: Path, changed: dict[str, str]) -> Path:
    for name, text in (WHOLE | changed).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_a_whole_site_has_no_broken_link(tmp_path):
    assert broken_links(site(tmp_path, {})) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("new.html", '<a href="sub/pag.html">a</a>', "new.html: sub/pag.html leads to no file of the site"),
        ("new.html", '<a href="sub/page.html#ther">a</a>', "new.html: sub/page.html#ther leads to no place on that page"),
        ("new.html", '<a href="#nowhere">a</a>', "new.html: #nowhere leads to no place on that page"),
        ("new.html", '<a href="/index.html">a</a>', "new.html: /index.html stands only at the root of a server: write it from the page"),
        ("new.html", '<a href="../outside.html">a</a>', "new.html: ../outside.html leads to no file of the site"),
        ("new.html", '<img src="picture.png">', "new.html: picture.png leads to no file of the site"),
        ("new.html", '<img src="https://example.org/p.png">', "new.html loads https://example.org/p.png from outside"),
        ("new.html", '<script src="//example.org/s.js"></script>', "new.html loads //example.org/s.js from outside"),
        ("new.html", '<link rel="stylesheet" href="https://example.org/s.css">', "new.html loads https://example.org/s.css from outside"),
        ("new.html", '<form action="search.html">', "new.html: search.html leads to no file of the site"),
        ("new.html", '<svg><a xlink:href="gone.html"></a></svg>', "new.html: gone.html leads to no file of the site"),
        ("new.css", "body { background: url('https://example.org/p.png') }", "new.css loads https://example.org/p.png from outside"),
        ("new.css", '@import "gone.css";', "new.css: gone.css leads to no file of the site"),
    ],
)
def test_a_broken_link_is_named_with_its_page(tmp_path, name, text, said):
    assert broken_links(site(tmp_path, {name: text})) == [said]
