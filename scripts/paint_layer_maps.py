#!/usr/bin/env python3
"""Paints the property maps of the examples whose layers vary from the left to the right, and on the patch the parts where they are even.
  scripts/paint_layer_maps.py examples
"""
import pathlib
import sys

import numpy as np
from paint_example_maps import write_png

SIZE = 100  # pixels across, on the patch one for each millimetre
MARGIN = 8  # between the border of the patch, where skin is free, and the parts that are measured
MID_GREY = 128
GREEN, BLUE = 1, 2  # Young's modulus and thickness (docs/wrinkle.md)

# Folder, channel, its values left and right, and where it begins and ends to change, as shares of the patch.
PATCHES = {
    "painted-stiffness": (GREEN, 32, 224, 0.25, 0.4),
    "painted-thickness": (BLUE, 64, 192, 0.2, 0.35),
    "painted-layers": (GREEN, 64, 192, 0.5, 0.65),
}
# The same in texture coordinates: from 15 mm left of the middle to 5 mm right of it, on the ball of its side +z.
CURVED = {
    "curved": (BLUE, 171, 107, 0.785, 0.822),
    "curved-cylinder": (BLUE, 171, 107, 0.4625, 0.5125),
}


def paint(file, u, channel, left, right, begin, end):
    image = np.full((len(u), len(u), 3), MID_GREY)
    image[:, :, channel] = np.round(left + (right - left) * np.clip((u - begin) / (end - begin), 0, 1))
    write_png(file, image)


def main(examples):
    folder = pathlib.Path(examples)
    u = (np.arange(SIZE) + 0.5) / SIZE
    edge = MARGIN / SIZE
    inside = (u > edge) & (u < 1 - edge)
    for name, (channel, left, right, begin, end) in PATCHES.items():
        paint(folder / name / "layer.png", u, channel, left, right, begin, end)
        for part, columns in (("left", u < begin), ("right", u > end)):
            mask = inside[:, None] & (inside & columns)[None, :]
            write_png(folder / name / f"{part}.png", np.where(mask[:, :, None], 255, 0) * np.ones(3))
    finer = (np.arange(4 * SIZE) + 0.5) / (4 * SIZE)
    for name, values in CURVED.items():
        paint(folder / name / "layer.png", finer, *values)


if __name__ == "__main__":
    main(*sys.argv[1:])
