"""One scenario: a model, a machine and a plan, what is particular to it, and what must be said before a number means anything."""

from fsdp_sym.algebra.vocabulary import N
from fsdp_sym.scenarios.cells import Cell
from fsdp_sym.scenarios.plans import PLANS

from .machines import DESKTOP
from .models import PYTHIA

LAB = Cell(
    id="LAB1",
    title="Our own laboratory",
    question="Does a model of [[@P]] parameters train on [[@N]] desktops, and what does a step move?",
    edge="the network of an office, not of a data centre",
    parts=(PYTHIA, DESKTOP, PLANS["ZeRO mixed precision"]),
    given={N: 4},
    conventions=(
        "GB is 10^9 bytes",
        "Memory is the persistent model state: parameters, gradients, optimizer states; no activations",
        "Gbps is 10^9 bits per second",
    ),
    source="four desktops in room 2.14",
)
