"""The machines in this course's laboratory."""

from fsdp_sym.algebra.vocabulary import M_max, R_bit, n_bit
from fsdp_sym.scenarios.rows import Row

DESKTOP = Row("24 GB desktop on 10 GbE", {M_max: "24 GB", R_bit: "10 Gbps", n_bit: 8}, "the label on the card; IEEE 802.3ae line rate")
