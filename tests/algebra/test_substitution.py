"""What is put without asking is what SymPy puts after asking."""

import pytest

from fsdp_sym.algebra.substitution import put
from fsdp_sym.algebra.vocabulary import d_0
from fsdp_sym.formulas.sharding.model_on_rank import ROWS, rows_of_rank


@pytest.mark.parametrize("rows", ROWS.values(), ids=str)
def test_the_rows_of_every_kind_of_tensor_are_the_same(rows):
    asked = rows_of_rank.full.xreplace({d_0: rows})
    assert d_0 in rows_of_rank.full.free_symbols
    assert put(rows_of_rank.full, {d_0: rows}) == asked
    assert str(put(rows_of_rank.full, {d_0: rows})) == str(asked)
