"""The principles that the lessons rest on, one sentence each."""

from __future__ import annotations

from .form import Principle

EVERY_BUFFER = Principle("every-buffer-counts", "Everything that stays from one step to the next is counted: parameter, gradient, master copy, moments.")
WIDTHS = Principle("widths-are-named", "Each buffer has its own width in bytes; none follows from another's.")
STAGES = Principle("stages-in-order", "ZeRO shards optimizer states first, then gradients, then parameters; a stage divides just what it shards.")
SHARED_OUT = Principle("shards-divide", "A sharded state is divided by the number of ranks that share it.")
STATE_ONLY = Principle("only-state-is-sharded", "FSDP shards parameters, gradients and optimizer states; activations belong to each rank's own batch.")
OWN_SHARD = Principle("own-shard-stays", "A rank receives the shards of the others; its own it has already.")
WHOLE_TENSOR = Principle("s-is-the-whole", "The size of a collective is the whole, unsharded tensor.")
COLLECTIVES = Principle("collectives-are-counted", "Each gather and each reduction of a step is counted, and an all-reduce is two of them.")
SHARD_GROUP = Principle("n-is-the-shard-group", "N counts the ranks that share one copy, not all GPUs in the world.")
BITS = Principle("a-byte-has-eight-bits", "Links are quoted in bits per second and tensors in bytes.")
PREFIXES = Principle("prefixes-are-exact", "GB is a power of ten and GiB a power of two; kilo, mega and giga are a thousand apart.")
RATIO = Principle("communication-over-compute", "The ratio is communication over compute: small is good.")
EXPOSED = Principle("only-exposed-time-costs", "Only communication that does not run beside compute lengthens the step.")
PEAK = Principle("peak-not-kept", "A device must hold the peak, not just what is kept in between.")
BALANCE = Principle("best-interval-balances", "The best checkpoint interval balances what is kept against what is recomputed.")
LAYERS = Principle("every-layer-keeps", "The forward pass leaves something behind in every layer.")
PRODUCT = Principle("degrees-multiply", "Every GPU has one coordinate, so the degrees multiply to the world.")
NODE = Principle("tensor-groups-stay-in-a-node", "Tensor parallelism communicates inside every layer, so its group stays on the fast links of one node.")
ONE_WAY = Principle("bandwidth-is-one-way", "A link's bandwidth is that of one direction, and a rank sends and receives side by side.")
WHOLE_RANKS = Principle("ranks-are-whole", "A count of GPUs is whole, and a requirement is met only when it is rounded up.")
