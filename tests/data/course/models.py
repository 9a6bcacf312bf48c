"""The model that this course trains."""

from fsdp_sym.algebra.vocabulary import L, P, a, d, f
from fsdp_sym.scenarios.rows import Row

PYTHIA = Row("Pythia-1.4B", {P: 1414647808, L: 24, d: 2048, f: 8192, a: 16}, "arXiv:2304.01373, table 1; P as counted in the checkpoint")
