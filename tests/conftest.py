"""Property tests draw the same examples on every run and every worker, however slow the machine."""

from hypothesis import settings

settings.register_profile("suite", derandomize=True, database=None, deadline=None)
settings.load_profile("suite")
