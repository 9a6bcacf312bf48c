"""What students type, read exactly: text in, a value with an echo or a line that helps out. Nothing is evaluated as code."""

from .expects import Choice, Count, Expects, Number, Quantity, Symbolic, Triple
from .expressions import same_expression
from .outcomes import Invalid, NotAnswered, Read
from .reading import read

__all__ = [
    "Choice", "Count", "Expects", "Invalid", "NotAnswered", "Number", "Quantity", "Read", "Symbolic", "Triple",
    "read", "same_expression",
]  # fmt: skip
