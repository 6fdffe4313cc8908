"""The depth of vertices in other parts of their surface is that of closed forms, and says nothing of parts that do not meet."""
import sys
import numpy as np
from testkit import ROOT

sys.path.insert(0, str(ROOT / "tests/measure"))
import self_depth as check

CELL = 0.2


def ball(n=24):
    """Of radius 1, its poles along z."""
    up, round_ = np.linspace(0, np.pi, n + 1)[1:-1], np.arange(2 * n) * np.pi / n
    points = [[np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)] for a in up for b in round_] + [[0, 0, 1], [0, 0, -1]]
    at = lambda i, j: i * 2 * n + j % (2 * n)
    faces = [f for i in range(n - 2) for j in range(2 * n)
             for f in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    last = len(points)
    faces += [(last - 2, at(0, j), at(0, j + 1)) for j in range(2 * n)] + [(last - 1, at(n - 2, j + 1), at(n - 2, j)) for j in range(2 * n)]
    return np.array(points), np.array(faces)


points, faces = ball()
turn = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
turn *= np.linalg.det(turn)


def two_balls(gap):
    """Their surfaces apart by so much along x, turned so that no ray runs along an edge."""
    return np.concatenate([points, points + [2 + gap, 0, 0]]) @ turn.T


triangles = np.concatenate([faces, faces + len(points)])
rest, every = two_balls(1), np.arange(2 * len(points))
assert check.depths(two_balls(0.2), rest, triangles, every, CELL).max() == 0

# The vertex of each ball that is the furthest in the other one is as deep as they overlap, but for the facets.
overlap = 0.3
found = check.depths(two_balls(-overlap), rest, triangles, every, CELL)
centres = np.array([[0, 0, 0], [2 - overlap, 0, 0]]) @ turn.T
inside = 1 - np.linalg.norm(two_balls(-overlap) - np.repeat(centres[::-1], len(points), axis=0), axis=1)
facets = 1 - np.cos(np.pi / 24)
assert abs(found - np.maximum(inside, 0)).max() < 2 * facets, abs(found - np.maximum(inside, 0)).max()
assert abs(found.max() - overlap) < 2 * facets, found.max()

# What the animation has of it is no fault of the flesh.
frame = {"positions": two_balls(-overlap), "body": two_balls(-0.2)}
deeper = check.beyond(frame, rest, triangles, CELL)
assert abs(deeper.max() - 0.1 / CELL) < 2 * facets / CELL, deeper.max()
assert check.beyond({"positions": two_balls(-overlap), "body": two_balls(-overlap)}, rest, triangles, CELL).max() == 0

# A part that is nearer at rest than a few cells is the same.
assert check.depths(two_balls(-overlap), rest, triangles, every, 10).max() == 0
print("depths are those of two balls")
