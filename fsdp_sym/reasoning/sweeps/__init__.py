"""A formula over many points at once: compiled to whole arrays, block by block, exact wherever that fits in 64 bits."""
