"""The other half of the modules, so that two workers share the mutants."""

from __future__ import annotations

import pytest

from .test_no_mutant_survives import _everything_named, check_every_mutant, in_turn, pytestmark, short

__all__ = ["_everything_named", "pytestmark"]


@pytest.mark.parametrize("name", in_turn(1), ids=short)
def test_every_mutant_is_noticed(name):
    check_every_mutant(name)
