"""The meshes of layers that a result has where wrinkle.layer_meshes = "ply", and whether they pass through each other or themselves."""
import re, sys
import numpy as np
from testkit import ROOT

sys.path.insert(0, str(ROOT / "tests/measure"))
import intersections


def read_ply(path):
    """Numbers at the vertices by name, and triangles."""
    head, body = path.read_bytes().split(b"end_header\n", 1)
    vertices, faces = (int(n) for n in re.findall(rb"element \w+ (\d+)", head))
    names = [name.decode() for name in re.findall(rb"property double (\w+)", head)]
    table = np.frombuffer(body, "<f8", vertices * len(names)).reshape(vertices, len(names))
    rows = np.frombuffer(body, np.dtype([("count", "u1"), ("corners", "<i4", 3)]), faces, table.nbytes)
    assert len(body) == table.nbytes + rows.nbytes and (rows["count"] == 3).all(), path
    return dict(zip(names, table.T)), rows["corners"]


def points(table, prefix=""):
    return np.stack([table[prefix + axis] for axis in "xyz"], axis=1)


def check_apart(layers):
    """Of the layers of one frame, the lowest first, as they are read: no triangle passes through another of its own layer or of the next
    one, and none is turned over."""
    for k, (table, triangles) in enumerate(layers):
        now = points(table)
        through, _ = intersections.find_intersections(now, triangles)
        assert not len(through), f"layer {k + 1}: {len(through)} pairs of triangles pass through each other, such as {through[0]}"
        over = intersections.find_inverted(points(table, "rest_"), now, triangles)
        assert not len(over), f"layer {k + 1}: {len(over)} triangles are turned over, such as {over[0]}"
        if k + 1 < len(layers):
            upper, others = layers[k + 1]
            through, _ = intersections.find_intersections_between(now, triangles, points(upper), others)
            assert not len(through), f"layers {k + 1} and {k + 2}: {len(through)} pairs of triangles pass through each other, such as {through[0]}"


def check_all_apart(result):
    """In every frame of a result; returns how many meshes there are."""
    lowest = sorted((result / "layers").glob("layer1_*.ply"))
    assert lowest, f"{result}: no meshes of layers"
    meshes = 0
    for first in lowest:
        paths = sorted((result / "layers").glob(first.name.replace("layer1", "layer*")))
        check_apart([read_ply(path) for path in paths])
        meshes += len(paths)
    return meshes
