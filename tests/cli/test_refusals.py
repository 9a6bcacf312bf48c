"""What a user can get wrong: each is one line on stderr that names the object and the remedy, and an exit code of 2."""

import pytest

from fsdp_sym.cli import WRONG, main

GATHER = ["evaluate", "all_gather"]
TENSOR = ["--set", "S=700 MB"]
SOLVE = ["solve", "all_gather", "--cell", "D", "--for", "N"]
SPLIT = ["solve", "world_size", "--for", "N_d,N_p,N_t"]

# argv, and words that the one line must hold.
REFUSED = [
    (["evalute"], ["evalute", "evaluate", "--help"]),
    (["evaluate"], ["FORMULA", "fsdp-sym evaluate --help"]),
    ([*GATHER, "--sett", "N=4"], ["--sett", "--set"]),
    (["list", "cats"], ["kind': 'cats' is not one of 'cells', 'lessons'"]),
    ([*GATHER, "--cell", "D", "--unit", ""], ["'' is no unit", "GB"]),
    ([*GATHER, "--cell", "D", "--unit", "B/%"], ["'B/%' is no unit", "stands alone"]),
    (["evaluate", "sharded_state", "--set", "P=7B"], ["b_v and b_x: give each a value, such as N=8, or take them from cell A"]),
    (["evaluate", "winning_sharding"], ["needs r, N, n_node, P, b_w, ", "T_net: give each a value, such as r=1, or take them from cell P"]),
    (["sweep", "winning_sharding", "--over", "N=16,32"], ["W_net and T_net to be swept: give each a value, such as r=1, or take "]),
    (["evaluate", "al_gather"], ["al_gather", "did you mean all_gather"]),
    (["evaluate", "zzz"], ["zzz", "fsdp-sym list formulas"]),
    (["explain", "Z"], ["cell or formula", "'Z'", "the cells are A, B, C", "fsdp-sym list formulas"]),
    (["evaluate", "x" * 5000], [f"'{'x' * 80}'", "fsdp-sym list formulas"]),
    (["explain", "x" * 5000], [f"'{'x' * 80}'", "fsdp-sym list formulas"]),
    (["evaluate", "sharded_state", "--cell", "A", "--set", "P=8b"], ["P (", "write P=8B for billions"]),
    (["evaluate", "sharded_state", "--cell", "A", "--set", "P=7 B"], ["P (", "write P=7B for billions"]),
    (["explain", "all-gather"], ["did you mean all_gather"]),
    (["explain", "d"], ["'d'", "D"]),
    ([*GATHER, "--cell", "Z"], ["no cell", "'Z'", "A, B, C"]),
    ([*GATHER, *TENSOR], ["all_gather", "needs N", "N=..."]),
    (["explain", "all_gather", *TENSOR], ["all_gather", "needs N", "N=..."]),
    ([*GATHER, "--cell", "D", "--set", "n=4"], ["no letter", "'n'", "did you mean N"]),
    ([*GATHER, "--cell", "D", "--set", "P=7B"], ["all_gather", "does not depend on P", "N, S"]),
    (["explain", "D", "--set", "P=7B"], ["cell D", "does not depend on P", "N"]),
    (["solve", "all_gather", "--cell", "D", "--for", "P", "--equals", "1 GB"], ["all_gather", "does not depend on P", "N, S"]),
    ([*GATHER, "--set", "N"], ["'N'", "--set N=8"]),
    ([*GATHER, "--set", "=8"], ["'=8'", "--set N=8"]),
    ([*GATHER, "--set", "N="], ["'N='", "--set N=8"]),
    ([*GATHER, *TENSOR, "--set", "N=4", "--set", "N=8"], ["N twice", "4", "8", "once"]),
    ([*GATHER, *TENSOR, "--set", "N=8 GB"], ["N (", "plain number", "'8 GB'", "N=8"]),
    ([*GATHER, *TENSOR, "--set", "N=0"], ["N = 0", "at least 1"]),
    ([*GATHER, *TENSOR, "--set", "N=2.5"], ["N = 2.5", "whole number"]),
    ([*GATHER, *TENSOR, "--set", "N=-4"], ["N = -4", "at least 1"]),
    ([*GATHER, "--set", "N=4", "--set", "S=-700 MB"], ["S = -700 MB", "at least 1"]),
    ([*GATHER, "--set", "N=4", "--set", "S=1e99 GB"], ["S: '1e99'", "too large"]),
    ([*GATHER, "--set", "N=4", "--set", "S=10 G"], ["S: 'G'", "GB", "Gbit"]),
    ([*GATHER, "--set", "N=4", "--set", "S=700"], ["S (", "bytes", "'700'", "GB"]),
    ([*GATHER, "--set", "N=4", "--set", "S=0,7 GB"], ["0,7 GB", "point"]),
    ([*GATHER, "--set", "N=4", "--set", "S=\x1b[31m\n7"], ["S: ", "not an amount", "80 GB"]),
    (["evaluate", "link_bandwidth", "--set", "R_bit=10 Gb"], ["R_bit", "bits per second", "'10 Gb'", "Gbps"]),
    ([*GATHER, "--cell", "D", "--unit", "s"], ["'s'", "bytes"]),
    ([*GATHER, "--cell", "D", "--unit", "Go"], ["'Go'", "GB"]),
    ([*GATHER, "--cell", "D", "--digits", "0"], ["--digits", "1"]),
    ([*GATHER, "--cell", "D", "--digits", "four"], ["--digits", "integer"]),
    (["evaluate", "shard_fits", "--cell", "B", "--unit", "GB"], ["shard_fits", "yes or no", "--unit GB"]),
    (SOLVE, ["all_gather", "--equals", "--at-most", "--at-least"]),
    ([*SOLVE, "--at-most", "1 GB", "--equals", "1 GB"], ["exactly one", "--equals"]),
    ([*SOLVE, "--at-most", "3 ms"], ["all_gather", "bytes", "'3 ms'", "MB"]),
    ([*SOLVE, "--at-most", "1 GB", "--set", "N=8"], ["--for", "drop --set N=8"]),
    (["solve", "all_gather", "--for", "N", "--at-most", "1 GB"], ["needs S", "S=..."]),
    (
        ["solve", "all_gather", "--cell", "D", "--for", "N,S", "--equals", "1 GB"],
        ["several letters", "fsdp-sym choose --cell D --over N=1..64 --over S=1..64 --smallest N --such-that 'all_gather = 1 GB'"],
    ),
    (["solve", "world_size", "--for", "N_t, N_d", "--at-least", "64"], ["--smallest N_t --such-that 'world_size >= 64'"]),
    (
        ["solve", "shard_fits", "--cell", "B", "--set", "N=4", "--for", "P,M_max", "--equals", "yes"],
        ["--cell B --set N=4", "--such-that 'shard_fits'"],
    ),
    (["solve", "world_size", "--for", "N,P", "--equals", "64"], ["does not depend on N and P: it can be solved for N_d, N_p, N_t"]),
    ([*SPLIT, "--at-most", "1024"], ["--equals", "--at-most"]),
    ([*SPLIT, "--equals", "1024", "--cell", "H"], ["--cell", "--set"]),
    ([*SPLIT, "--equals", "1024", "--set", "N=4"], ["N ", "N_d, N_p, N_t", "_at_most"]),
    ([*SPLIT, "--equals", "80 GB"], ["G (", "'80 GB'", "plain number"]),
    ([*SPLIT, "--equals", "0"], ["G = 0", "at least 1"]),
]  # fmt: skip


@pytest.mark.parametrize(("argv", "words"), REFUSED, ids=[" ".join(argv)[:60] for argv, _ in REFUSED])
def test_a_wrong_request_is_one_line_with_its_remedy(argv: list[str], words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = main(argv)
    out, err = capsys.readouterr()
    assert code == WRONG
    assert out == ""
    assert err.startswith("fsdp-sym: ")
    assert err.count("\n") == 1
    assert err.strip().isprintable()
    assert [word for word in words if word not in err] == [], err


def test_a_fault_of_our_own_is_one_line_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("fsdp_sym.reasoning.audit.audit", broken)
    assert main(["audit"]) == 70
    said = "fsdp-sym: a fault of fsdp-sym, not yours: RuntimeError two lines: please report it with the command\n"
    assert capsys.readouterr().err == said
