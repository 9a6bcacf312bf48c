"""Real framework runs on this machine, beside what the formulas predict. Needs the extra ``verify``: PyTorch on a CPU."""
