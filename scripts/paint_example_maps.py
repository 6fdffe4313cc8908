#!/usr/bin/env python3
"""Paints the maps that examples wear, from the rest shape of their results, in their own texture coordinates:
a tattoo on the neck (neck-swallow, neck-open), a normal map of wrinkles and veins (hand-flex) and where the dewlap of the beast is loose (dewlap).
  scripts/paint_example_maps.py tattoo RESULT examples/neck-swallow/tattoo.png
  scripts/paint_example_maps.py wrinkles RESULT examples/hand-flex/wrinkles.png
  scripts/paint_example_maps.py dewlap RESULT examples/dewlap/dewlap.png
"""
import pathlib
import struct
import sys
import zlib

import numpy as np

SIZE = 768
SKIN, INK = np.array([0xD8, 0xA6, 0x8E]), np.array([0x1B, 0x2A, 0x4A])


def write_png(file, pixels):
    rows = b"".join(b"\0" + row.tobytes() for row in pixels.astype(np.uint8))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    pathlib.Path(file).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def corners(mesh):
    """Positions and texture coordinates of triangles: fans of the polygons."""
    offsets, vertices, uvs, rest = (mesh[k] for k in ("face_offsets", "face_corners", "uvs", "rest"))
    for begin, end in zip(offsets[:-1], offsets[1:]):
        for k in range(begin + 1, end - 1):
            at = [begin, k, k + 1]
            yield rest[vertices[at]], uvs[at]


def draw(mesh, shade, image):
    """image[row, column] = shade(position, d(position)/d(u, v)) for each pixel of each triangle, and a pixel beyond."""
    for x, uv in corners(mesh):
        p = np.column_stack([uv[:, 0], 1 - uv[:, 1]]) * SIZE - 0.5
        edges = np.array([p[1] - p[0], p[2] - p[0]]).T
        area = np.linalg.det(edges)
        if abs(area) < 1e-12:
            continue
        low, high = np.floor(p.min(0)).astype(int) - 1, np.ceil(p.max(0)).astype(int) + 1
        columns, rows = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
        inside = np.linalg.solve(edges, np.stack([columns.ravel() - p[0, 0], rows.ravel() - p[0, 1]]))
        weights = np.stack([1 - inside.sum(0), *inside])
        margin = 1.5 * np.linalg.norm(np.linalg.inv(edges))
        near = weights.min(0) >= -margin
        if not near.any():
            continue
        jacobian = np.array([x[1] - x[0], x[2] - x[0]]).T @ np.linalg.inv(np.array([uv[1] - uv[0], uv[2] - uv[0]]).T)
        image[np.clip(rows.ravel()[near], 0, SIZE - 1), np.clip(columns.ravel()[near], 0, SIZE - 1)] = shade(
            (weights[:, near].T @ x), jacobian)


def tattoo(x, _):
    """A compass rose on the larynx and a chain of rings around the neck."""
    dx, dy = x[:, 0], x[:, 1] - 0.05
    r, angle = np.hypot(dx, dy), np.arctan2(dx, dy)
    front = x[:, 2] > 0.02
    ring = (np.abs(r - 0.026) < 0.0012) | (np.abs(r - 0.022) < 0.0006)
    star = r < 0.021 * (0.25 + 0.75 * np.abs(np.cos(2 * angle)) ** 6)
    rays = (r < 0.031) & (r > 0.029 - 0.002 * np.cos(8 * angle)) & (np.cos(16 * angle) > 0.2)
    half = (np.sin(4 * angle) > 0) | (r < 0.004)
    ink = front & (ring | (star & half) | rays)
    around = np.arctan2(x[:, 0], x[:, 2])
    chain = np.abs(np.abs(x[:, 1] - 0.012) - 0.0035 * np.abs(np.sin(14 * around))) < 0.0009
    ink |= chain & (np.hypot(x[:, 0], x[:, 2]) < 0.09)
    return np.where(ink[:, None], INK, SKIN)


def relief(x):
    """Height [m]: folds across the fingers and the back of the hand, and veins along it."""
    along, up, across = x[:, 0], x[:, 1], x[:, 2]
    back = np.clip((up + 0.002) / 0.01, 0, 1)
    wander = 0.004 * np.sin(55 * along) + 0.002 * np.sin(131 * along + 1)
    veins = sum(np.exp(-((across - at - slope * along - wander) / 0.0022) ** 2)
                for at, slope in ((-0.018, -0.10), (0.003, 0.05), (0.022, 0.16)))
    veins *= np.exp(-((along - 0.03) / 0.07) ** 4)
    folds = np.sin(2 * np.pi * along / 0.0045 + 2.2 * np.sin(130 * across)) * np.clip((along - 0.07) / 0.02, 0.25, 1)
    return 0.0012 * back * veins + 0.00022 * folds


def wrinkles(x, jacobian):
    """Normals in tangent space: the slope of the relief along the axes of u and v."""
    step = 2e-4
    gradient = np.stack([(relief(x + step * e) - relief(x - step * e)) / (2 * step) for e in np.eye(3)], 1)
    u = jacobian[:, 0] / np.linalg.norm(jacobian[:, 0])
    v = jacobian[:, 1] - jacobian[:, 1].dot(u) * u
    v /= np.linalg.norm(v)
    normal = np.stack([-gradient @ u, -gradient @ v, np.ones(len(x))], 1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return np.round(127.5 * (normal + 1))


def dewlap(x, _):
    """White in an ellipsoid around the dewlap of the beast, fading to black in one that is 1.5 times as large."""
    far = np.linalg.norm((x - [0, 0.64, 0.49]) / [0.16, 0.15, 0.11], axis=1)
    return np.repeat(255 * np.clip(2 * (1.5 - far), 0, 1)[:, None], 3, 1)


PAINTERS = {"tattoo": (tattoo, SKIN), "wrinkles": (wrinkles, [128, 128, 255]), "dewlap": (dewlap, [0, 0, 0])}


def main(kind, result, file):
    paint, background = PAINTERS[kind]
    image = np.empty((SIZE, SIZE, 3))
    image[:] = background
    draw(np.load(pathlib.Path(result) / "mesh.npz"), paint, image)
    write_png(file, image)


if __name__ == "__main__":
    main(*sys.argv[1:])
