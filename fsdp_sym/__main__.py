"""``python -m fsdp_sym`` is the command ``fsdp-sym``."""

import sys

from .cli import main

sys.exit(main())
