"""Write drawings as SVG."""

from hardware.decks.drawing import Drawing, Item, Matrix, Path, Run, Shape


def svg(drawing: Drawing) -> str:
    """Write a drawing as an SVG file."""
    size = f'width="{_n(drawing.width)}mm" height="{_n(drawing.height)}mm"'
    view = f'viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}"'
    windows: list[str] = []
    body = "".join(_item(item, windows) for item in drawing.items)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} fill-rule="evenodd" clip-rule="evenodd"'
        ' stroke-linejoin="round" stroke-linecap="round">\n'
        f"<defs>{''.join(windows)}</defs>\n{body}</svg>\n"
    )


def _item(item: Item, windows: list[str]) -> str:
    if isinstance(item, Shape):
        return _shape(item)
    seen = ""
    if item.window is not None:
        seen = f' clip-path="url(#w{len(windows)})"'
        windows.append(f'<clipPath id="w{len(windows)}"><path d="{_path(item.window)}"/></clipPath>')
    inner = "".join(_item(part, windows) for part in item.items)
    return f"<g{_matrix(item.matrix)}{seen}>{inner}</g>\n"


def _shape(shape: Shape) -> str:
    edge = f' stroke="{shape.stroke}" stroke-width="{_n(shape.width)}"' if shape.stroke else ""
    return f'<path d="{_path(shape.path)}" fill="{shape.fill or "none"}"{edge}/>\n'


def _matrix(matrix: Matrix) -> str:
    return f' transform="matrix({" ".join(f"{part:.6g}" for part in matrix)})"'


def _path(path: Path) -> str:
    return "".join(_run(run) for run in path)


def _run(run: Run) -> str:
    start = f"M{_n(run.start[0])} {_n(run.start[1])}"
    steps = "".join(
        ("C" if len(step) == 3 else "L") + " ".join(f"{_n(x)} {_n(y)}" for x, y in step) for step in run.steps
    )
    return start + steps + ("Z" if run.closed else "")


def _n(number: float) -> str:
    """Write a number to a thousandth of a millimetre."""
    return f"{number:.3f}".rstrip("0").rstrip(".")
