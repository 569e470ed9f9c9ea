"""What all sections of the report share: numbers as text, tables, plots beside it."""

import os

from . import svg


def ms(value):
    return f"{value:.4f}" if value else "-"


def times(value):
    return f"{value:.2f}" if value else "-"


def us(value_ms):
    """Milliseconds as whole microseconds."""
    return f"{1e3 * value_ms:.0f}" if value_ms is not None else "-"


def percent(value, digits=1):
    return f"{100 * value:.{digits}f}%" if value is not None else "-"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def save(folder, name, title, drawing):
    with open(os.path.join(folder, "plots", name), "w", encoding="utf-8") as file:
        file.write(drawing)
    return f"![{title}](plots/{name})\n"


def plot(folder, name, *arguments):
    return save(folder, name, arguments[0], svg.chart(*arguments))
