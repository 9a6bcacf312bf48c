"""HTML in which what came from outside is a text."""

from fsdp_sym.algebra.markup import element, mathematics, notebook_table, text


def test_nothing_in_a_text_is_html():
    assert text("<b>&'\"") == "&lt;b&gt;&amp;&#x27;&quot;"
    assert text("a\u202eb") == "a\N{REPLACEMENT CHARACTER}b"
    assert mathematics("a<b & c") == r"$\displaystyle a&lt;b &amp; c$"
    assert element("p", "x", title='"') == '<p title="&quot;">x</p>'


def test_a_table_names_itself_its_columns_and_its_rows():
    shown = notebook_table(("state", "verdict"), [("a", "b")], "<Steps>")
    assert "&lt;Steps&gt;</caption>" in shown
    assert shown.count('scope="col"') == 2
    assert shown.count('scope="row"') == 1
