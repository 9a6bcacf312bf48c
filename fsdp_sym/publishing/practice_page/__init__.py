"""The practice page: the drills and the reader of answers, run by a Python that runs in the reader's browser.

`bridge` is what the page asks, `shipped` what of this package travels to it, `runtime` what it runs on, `page` its words; the
scripts and styles are in ``assets``. Nothing that a reader types leaves the browser, and the page loads nothing from outside.
"""
