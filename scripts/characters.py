#!/usr/bin/env python3
"""Writes docs/characters.md: what every method makes of every animated character, with the lines that `cutis new` offers.
  scripts/characters.py                 all of them, in half an hour
  scripts/characters.py man fox         these again; the other lines of the table stay as they are
  scripts/characters.py --seconds 0.2   no more than so much of each clip
Needs a built build/release/cutis (or one named by CUTIS) and the characters of ../shared/data (or those in CUTIS_DATA)."""
import argparse, pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from characters import CHARACTERS, METHODS, Runs  # noqa: E402

PAGE = ROOT / "docs/characters.md"
HEAD = """# Characters by method

What each method makes of characters that it was not tuned for, with the lines that `cutis new` offers and no other; `flesh` is `[flesh] use = true` below
`skin.method = "none"`. Written by `scripts/characters.py`; `tests/characters` asserts what must hold and lists what does not yet.
Characters and methods without a line have not been run for this page.

| column | what it is |
|---|---|
| frames | of the clip from the time given, at 24 frames a second, with a second of `time.preroll` before where the clip has it |
| unconverged | how many of them |
| limit | slide over its limit at 99.9 % of the vertices, in the worst frame |
| strain | tensile strain, 99th percentile by area, over that of plain skinning |
| turned | inverted triangles where the body has none within two rings, in the worst frame |
| step | the furthest that skin goes over its body (flesh: away from the animation) from one frame to the next, and over that of Lagrangian skin |
| lag | 99th percentile of the distance from the animation, by body part, as `summary.json` has it |
| s | seconds a frame, on cores that did other work beside it: to compare within the table only |

"""
COLUMNS = ("character", "from", "method", "frames", "unconverged", "limit", "strain", "turned", "step [mm]", "lag [mm]", "s")


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def row(name, method, got, step_of_lagrangian):
    step = f"{1000 * got['step']:.2f}"
    if step_of_lagrangian:
        step += f" ({got['step'] / step_of_lagrangian:.1f})"
    lag = ", ".join(f"{part} {1000 * value:.1f}" for part, value in sorted(got.get("lag", {}).items(), key=lambda item: -item[1]))
    cells = (name, f"{CHARACTERS[name].start:g} s", method, got["frames"], got["unconverged"], number(got["limit"]), number(got["strain"]),
             got["turned"], step, lag, number(got["seconds"]))
    return "| " + " | ".join(map(str, cells)) + " |"


def rows_before():
    """By character and method."""
    found = {}
    for line in PAGE.read_text().splitlines() if PAGE.exists() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(COLUMNS) and cells[0] in CHARACTERS:
            found[cells[0], cells[2]] = line
    return found


def step_in(line):
    """The furthest step of a row [m]; None where it has none."""
    found = re.match(r"[\d.]+", (line.split("|") + [""] * 10)[9].strip())
    return float(found[0]) / 1000 if found else None


def write(rows):
    table = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    table += [rows[key] for key in ((name, method) for name in CHARACTERS for method in METHODS) if key in rows]
    PAGE.write_text(HEAD + "\n".join(table) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=", ".join(CHARACTERS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    options = parser.parse_args()
    runs, rows = Runs(seconds=options.seconds), rows_before()
    for name in options.names or CHARACTERS:
        lagrangian = step_in(rows.get((name, "lagrangian"), ""))
        for method in options.methods:
            try:
                got = runs(name, method)
            except AssertionError as error:
                rows[name, method] = f"| {name} | | {method} |" + " |" * 5 + " " + re.sub(r"\s+", " ", str(error))[:200] + " | | |"
                continue
            lagrangian = got["step"] if method == "lagrangian" else lagrangian
            rows[name, method] = row(name, method, got, lagrangian)
        write(rows)


if __name__ == "__main__":
    main()
