"""The principles that the lessons on real runs rest on, one sentence each."""

from __future__ import annotations

from .form import Principle

DIVIDED = Principle("what-is-divided-is-named", "A convention says which buffers are divided among the ranks; the others stay whole on each.")
WHOLE_ROWS = Principle("whole-rows-are-dealt", "A tensor is cut along its rows into shards of whole rows, full ones first.")
EQUAL_SHARDS = Principle("shards-have-one-size", "A collective joins shards of one size, so what is missing from the last of them is padded.")
NOT_ROWS = Principle("a-scalar-is-not-sharded", "What has no rows cannot be dealt out: every rank keeps it whole.")
GATHERED_AGAIN = Principle("freed-is-gathered-again", "Parameters that are freed after a pass are gathered again for the next one; the root group alone is kept between the two.")
OWN_WIDTHS = Principle("gathered-and-reduced-in-their-widths", "Parameters are gathered in the width of the compute, and gradients reduced in the width of the sum.")
INPUTS = Principle("inputs-are-kept", "What the backward pass multiplies with again is kept: the inputs of matrices, non-linearities and norms, the masks, the statistics.")
PAIRS = Principle("scores-are-of-pairs", "Attention has a score for every head and every pair of tokens; all else has a vector for each token.")
SPLIT = Principle("tensor-parallelism-splits-between-matrices", "Tensor parallelism splits what lies between a block's matrices; the rest stays whole unless it is split along the tokens.")
TEMPORARIES = Principle("an-update-needs-room", "An optimizer's update makes temporaries, each as large as what it updates at once; a fused kernel makes none.")
LIFETIMES = Principle("buffers-have-lifetimes", "A buffer counts in a phase only while it lives: gradients from the backward pass to zero_grad, optimizer states from the first step on.")
UNSHARED = Principle("a-peak-has-an-unshared-part", "A peak is a shared part over the ranks and a part that nobody shares.")
PAGES = Principle("memory-comes-in-pages", "An allocator takes whole pages, so a tensor takes a little more than its bytes.")
MATRICES = Principle("matrices-are-counted", "A model's parameters are those of its matrices, each with rows and columns of its own, and of a few vectors.")
