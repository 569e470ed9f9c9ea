"""Plots as SVG by hand: rows with a bar and marks on a logarithmic axis. Readable on white and on black."""

import math
from xml.sax.saxutils import escape

ROW, LABEL, WIDTH, TOP, BOTTOM, RIGHT = 18, 200, 560, 64, 40, 70
COLOURS = ("#2a78b5", "#d9730d", "#2f9e57", "#b5403f", "#7d5bb0")
STYLE = ("text{font:12px sans-serif;fill:#222}.small{font-size:11px;fill:#555}.grid{stroke:#8884;stroke-width:1}"
         ".one{stroke:#222;stroke-width:1.5}@media(prefers-color-scheme:dark){text{fill:#ddd}.small{fill:#aaa}"
         ".one{stroke:#ddd}}")


def ticks(low, high):
    """1, 2 and 5 times powers of ten, powers of ten alone where the axis is long; a twentieth or a quarter where it is short."""
    if high / low < 3:
        step = 0.05 if high / low < 1.5 else 0.25
        return [round(i * step, 2) for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 2000 else (1,)
    return [m * 10.0 ** p for p in powers for m in steps if low <= m * 10.0 ** p <= high * 1.0001]


def mark(shape, x, y, colour):
    if shape == "diamond":
        return f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5-5z" fill="{colour}"/>'
    if shape == "line":
        return f'<path d="M{x:.1f} {y - 7:.1f}v14" stroke="{colour}" stroke-width="2.5"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'


def several(values):
    return values if isinstance(values, list) else [values]


def legend(series):
    parts, x = [], LABEL
    for (name, shape), colour in zip(series, COLOURS):
        box = f'<rect x="{x}" y="33" width="12" height="10" fill="{colour}"/>'
        parts.append(box if shape == "bar" else mark(shape, x + 6, 38, colour))
        parts.append(f'<text x="{x + 17}" y="42" class="small">{escape(name)}</text>')
        x += 34 + 6.4 * len(name)
    return parts


def chart(title, series, rows, axis):
    """series: [(name, 'bar' | 'dot' | 'diamond' | 'line')]; rows: [(label, [value, list of values or None for each
    series])]. Bars begin at 1; the number at a row's end is its first value, where that is one."""
    values = [v for _, row in rows for some in row for v in several(some) if v and v > 0] + [1.0]
    low, high = min(values) / 1.05, max(values) * 1.05
    height, bottom = TOP + ROW * len(rows) + BOTTOM, TOP + ROW * len(rows)

    def at(value):
        return LABEL + WIDTH * math.log(value / low) / math.log(high / low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL + WIDTH + RIGHT} {height}" role="img">',
           f"<title>{escape(title)}</title><style>{STYLE}</style>",
           f'<text x="8" y="20" font-weight="bold">{escape(title)}</text>',
           *legend(series)]
    for tick in ticks(low, high):
        out.append(f'<path d="M{at(tick):.1f} {TOP - 8}V{bottom}" class="grid"/>'
                   f'<text x="{at(tick):.1f}" y="{bottom + 15}" class="small" text-anchor="middle">{tick:g}</text>')
    out.append(f'<path d="M{at(1):.1f} {TOP - 8}V{bottom}" class="one"/>')
    out.append(f'<text x="{LABEL + WIDTH / 2:.0f}" y="{bottom + 32}" class="small" text-anchor="middle">{escape(axis)}</text>')
    for i, (label, row) in enumerate(rows):
        y = TOP + ROW * i + ROW / 2
        out.append(f'<text x="{LABEL - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        marks = [(shape, value, colour) for (_, shape), some, colour in zip(series, row, COLOURS) for value in several(some)]
        for shape, value, colour in marks:
            if not value or value <= 0:
                continue
            if shape == "bar":
                left, right = sorted((at(1), at(value)))
                out.append(f'<rect x="{left:.1f}" y="{y - 6:.1f}" width="{max(right - left, 1):.1f}" height="12" '
                           f'fill="{colour}" opacity=".75"/>')
            else:
                out.append(mark(shape, at(value), y, colour))
        first = next((v for v in row if v), None)
        if first and not isinstance(first, list):
            out.append(f'<text x="{LABEL + WIDTH + 8}" y="{y + 4:.1f}" class="small">{first:.3g}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def stacked(title, series, rows, axis, unit="%"):
    """series: [name]; rows: [(label, [value of each series])], which add up; the number at a row's end is their sum."""
    high = max([sum(row) for _, row in rows] + [1e-9]) * 1.05
    step = next(s * 10.0 ** p for p in range(-3, 6) for s in (1, 2, 5) if high / (s * 10.0 ** p) <= 8)
    height, bottom = TOP + ROW * len(rows) + BOTTOM, TOP + ROW * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL + WIDTH + RIGHT} {height}" role="img">',
           f"<title>{escape(title)}</title><style>{STYLE}</style>",
           f'<text x="8" y="20" font-weight="bold">{escape(title)}</text>', *legend([(name, "bar") for name in series])]
    for i in range(int(high / step) + 1):
        x = LABEL + WIDTH * i * step / high
        out.append(f'<path d="M{x:.1f} {TOP - 8}V{bottom}" class="grid"/>'
                   f'<text x="{x:.1f}" y="{bottom + 15}" class="small" text-anchor="middle">{i * step:g}</text>')
    out.append(f'<text x="{LABEL + WIDTH / 2:.0f}" y="{bottom + 32}" class="small" text-anchor="middle">{escape(axis)}</text>')
    for i, (label, row) in enumerate(rows):
        y, x = TOP + ROW * i + ROW / 2, float(LABEL)
        out.append(f'<text x="{LABEL - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        for value, colour in zip(row, COLOURS):
            out.append(f'<rect x="{x:.1f}" y="{y - 6:.1f}" width="{WIDTH * value / high:.1f}" height="12" fill="{colour}"/>')
            x += WIDTH * value / high
        out.append(f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" class="small">{sum(row):.3g}{unit}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def strips(title, rows, most, axis):
    """rows: [(label, [what each launch ran])], one box a launch, `most` at most, in the colour of what it ran."""
    names = list(dict.fromkeys(name for _, launches in rows for name in launches[:most]))
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    opacity = {name: 1 - 0.45 * (i // len(COLOURS)) for i, name in enumerate(names)}
    height, bottom, wide = TOP + ROW * len(rows) + BOTTOM, TOP + ROW * len(rows), WIDTH / most
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL + WIDTH + RIGHT} {height}" role="img">',
           f"<title>{escape(title)}</title><style>{STYLE}</style>",
           f'<text x="8" y="20" font-weight="bold">{escape(title)}</text>', *legend([(name, "bar") for name in names])]
    for i, (label, launches) in enumerate(rows):
        y = TOP + ROW * i + ROW / 2
        out.append(f'<text x="{LABEL - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        for k, name in enumerate(launches[:most]):
            out.append(f'<rect x="{LABEL + k * wide:.1f}" y="{y - 6:.1f}" width="{wide - 1:.1f}" height="12" '
                       f'fill="{colour[name]}" opacity="{opacity[name]:g}"/>')
    for k in (1, *range(10, most + 1, 10)):
        out.append(f'<text x="{LABEL + (k - 0.5) * wide:.1f}" y="{bottom + 15}" class="small" text-anchor="middle">{k}</text>')
    out.append(f'<text x="{LABEL + WIDTH / 2:.0f}" y="{bottom + 32}" class="small" text-anchor="middle">{escape(axis)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
