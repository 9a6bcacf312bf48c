"""The book: lessons, catalogues and the command line as one site of pages that needs no network.

`site` builds it. A module writes one kind of page, as Markdown; nothing here computes: statements, verdicts, counts and
numbers come from lower floors.
"""
