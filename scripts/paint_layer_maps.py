#!/usr/bin/env python3
"""Paints the property maps of the examples whose layers vary from the left of the patch to its right, and the parts where they are even.
  scripts/paint_layer_maps.py examples
"""
import pathlib
import sys

import numpy as np
from paint_example_maps import write_png

SIZE = 100  # pixels across, one for each millimetre
MARGIN = 8  # between the border of the patch, where skin is free, and the parts that are measured
MID_GREY = 128
GREEN, BLUE = 1, 2  # Young's modulus and thickness (docs/wrinkle.md)

# Folder, channel, its values left and right, and where it begins and ends to change, as shares of the patch.
MAPS = {
    "painted-stiffness": (GREEN, 32, 224, 0.25, 0.4),
    "painted-thickness": (BLUE, 64, 192, 0.2, 0.35),
    "painted-layers": (GREEN, 64, 192, 0.5, 0.65),
}


def main(examples):
    u = (np.arange(SIZE) + 0.5) / SIZE
    edge = MARGIN / SIZE
    inside = (u > edge) & (u < 1 - edge)
    for name, (channel, left, right, begin, end) in MAPS.items():
        folder = pathlib.Path(examples) / name
        image = np.full((SIZE, SIZE, 3), MID_GREY)
        image[:, :, channel] = np.round(left + (right - left) * np.clip((u - begin) / (end - begin), 0, 1))
        write_png(folder / "layer.png", image)
        for part, columns in (("left", u < begin), ("right", u > end)):
            mask = inside[:, None] & (inside & columns)[None, :]
            write_png(folder / f"{part}.png", np.where(mask[:, :, None], 255, 0) * np.ones(3))


if __name__ == "__main__":
    main(*sys.argv[1:])
