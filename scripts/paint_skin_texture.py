#!/usr/bin/env python3
"""Paints a texture of skin: mottled, with pores and a few freckles.
  scripts/paint_skin_texture.py skin.png
"""
import sys

import numpy as np
from paint_example_maps import write_png

SIZE = 1024
SKIN, BLOOD, PORE = np.array([214, 160, 134]), np.array([196, 112, 96]), np.array([142, 88, 70])


def smoothed(image, width):
    """Blurred by a Gaussian of this width in pixels; the image goes on at its borders."""
    k = np.fft.fftfreq(SIZE)
    window = np.exp(-2 * (np.pi * width) ** 2 * (k[:, None] ** 2 + k[None, :] ** 2))
    return np.fft.ifft2(np.fft.fft2(image) * window).real


def noise(random, width):
    """Smooth, with a mean of 0 and a spread of 1."""
    image = smoothed(random.standard_normal((SIZE, SIZE)), width)
    return (image - image.mean()) / image.std()


def dots(random, count, width):
    """From 0 to 1."""
    image = np.zeros((SIZE, SIZE))
    np.add.at(image, tuple(random.integers(0, SIZE, (2, count))), 1)
    image = smoothed(image, width)
    return np.clip(image * 2 * np.pi * width**2, 0, 1)


def main(path):
    random = np.random.default_rng(1)
    red = np.clip(0.35 + 0.12 * noise(random, 60) + 0.1 * noise(random, 14) + 0.08 * noise(random, 3), 0, 1)[:, :, None]
    image = SKIN + red * (BLOOD - SKIN)
    image = image * (1 + 0.03 * noise(random, 1.2))[:, :, None]
    for count, width, strength in ((26000, 1.6, 0.35), (60, 5, 0.4)):
        image += strength * dots(random, count, width)[:, :, None] * (PORE - image)
    write_png(path, np.clip(np.round(image), 0, 255))


if __name__ == "__main__":
    main(*sys.argv[1:])
