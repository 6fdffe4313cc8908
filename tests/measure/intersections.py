"""intersections.py MESH [OTHER] [--rest MESH] [--first N]: counts triangles that pass through each other, with NumPy and nothing of Cutis.

Of one mesh all pairs of triangles without a common vertex are looked at, of two only pairs with one triangle of each. Pairs that only
touch, a vertex or an edge exactly on the other triangle, are counted by themselves. With --rest (the same triangles at rest) triangles
are counted that have been turned over: their normal and the mean normal of their neighbours across edges lie more than 90 degrees
apart, which they do not at rest. Prints the first few of each and exits with 1 when there are any; triangles that touch are no mistake.
Reads PLY, OBJ and NPZ (positions, vertices or rest; triangles or faces)."""
import argparse, pathlib, sys
import numpy as np

FLAT = 1e-12  # of the product of lengths that a volume is made of: what is smaller is rounding
PAIRS_AT_ONCE = 200_000

PLY_TYPES = {"char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
             "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4", "double": "f8", "float64": "f8"}


def fans(polygons):
    """Polygons cut into triangles from their first corner."""
    return np.array([(p[0], p[k], p[k + 1]) for p in polygons for k in range(1, len(p) - 1)], dtype=np.int64).reshape(-1, 3)


def ply_header(raw):
    end = raw.index(b"end_header")
    end = raw.index(b"\n", end) + 1
    elements = []
    for line in raw[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            order = {"ascii": None, "binary_little_endian": "<", "binary_big_endian": ">"}[words[1]]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    return order, elements, raw[end:]


class PlyValues:
    """The values behind the header, one after the other, in text or in binary."""
    def __init__(self, order, body):
        self.order, self.at = order, 0
        self.body = body.split() if order is None else body

    def take(self, kind, count):
        if self.order is None:
            values = np.array(self.body[self.at:self.at + count], dtype=np.float64)
            self.at += count
        else:
            dtype = np.dtype(self.order + PLY_TYPES[kind])
            values = np.frombuffer(self.body, dtype, count, self.at)
            self.at += count * dtype.itemsize
        return values

    def table(self, count, properties):
        """Rows of single values."""
        if self.order is None:
            return dict(zip([p[1] for p in properties], self.take(None, count * len(properties)).reshape(count, -1).T))
        dtype = np.dtype([(p[1], self.order + PLY_TYPES[p[0]]) for p in properties])
        rows = np.frombuffer(self.body, dtype, count, self.at)
        self.at += count * dtype.itemsize
        return {name: rows[name] for name in dtype.names}

    def row(self, properties):
        """A row with lists in it."""
        out = {}
        for p in properties:
            if p[0] == "list":
                out[p[3]] = self.take(p[2], int(self.take(p[1], 1)[0]))
            else:
                out[p[1]] = self.take(p[0], 1)
        return out


def read_ply(path):
    order, elements, body = ply_header(path.read_bytes())
    values, points, polygons = PlyValues(order, body), None, []
    for name, count, properties in elements:
        if any(p[0] == "list" for p in properties):
            rows = [values.row(properties) for _ in range(count)]
            if name == "face":
                polygons = [next(row[key] for key in ("vertex_indices", "vertex_index") if key in row) for row in rows]
            continue
        table = values.table(count, properties)
        if name == "vertex":
            points = np.stack([table[axis] for axis in "xyz"], axis=1).astype(np.float64)
    return points, fans(polygons)


def read_obj(path):
    points, polygons = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            polygons.append([c - 1 if c > 0 else len(points) + c for c in corners])
    return np.array(points, dtype=np.float64).reshape(-1, 3), fans(polygons)


def read_npz(path):
    arrays = np.load(path, allow_pickle=False)
    points = next((arrays[key] for key in ("positions", "vertices", "rest") if key in arrays), None)
    triangles = next((arrays[key] for key in ("triangles", "faces") if key in arrays), None)
    if points is None or triangles is None:
        raise ValueError(f"{path}: holds {', '.join(arrays.files)}, but needs positions, vertices or rest, and triangles or faces")
    return points.astype(np.float64), triangles.astype(np.int64)


def read_mesh(path):
    """Positions (n x 3) and triangles (m x 3)."""
    path = pathlib.Path(path)
    readers = {".ply": read_ply, ".obj": read_obj, ".npz": read_npz}
    if path.suffix.lower() not in readers:
        raise ValueError(f"{path}: read are {', '.join(readers)}")
    return readers[path.suffix.lower()](path)


class Grid:
    """Cells over boxes, by number."""
    def __init__(self, low, high):
        extent = (high - low).max(axis=1)
        # No triangle reaches into many cells.
        self.cell = max(extent.mean(), extent.max() / 8, 1e-300)
        self.origin = low.min(axis=0)
        self.size = self.places(high.max(axis=0)) + 1

    def places(self, points):
        return np.floor((points - self.origin) / self.cell).astype(np.int64)

    def numbers(self, places):
        return (places[:, 2] * self.size[1] + places[:, 1]) * self.size[0] + places[:, 0]

    def cells(self, low, high):
        """For each cell that a box reaches into: the box and the number of the cell."""
        first = self.places(low)
        counts = self.places(high) - first + 1
        total = counts.prod(axis=1)
        box = np.repeat(np.arange(len(low)), total)
        rank = np.arange(len(box)) - np.repeat(np.cumsum(total) - total, total)
        n = counts[box]
        steps = np.stack([rank % n[:, 0], rank // n[:, 0] % n[:, 1], rank // (n[:, 0] * n[:, 1])], axis=1)
        return box, self.numbers(first[box] + steps)


def pairs_of_boxes(low, high):
    """All pairs i < j of boxes that meet, in chunks, each pair once."""
    grid = Grid(low, high)
    box, number = grid.cells(low, high)
    order = np.lexsort((box, number))
    box, number = box[order], number[order]
    for shift in range(1, len(number)):
        same = np.flatnonzero(number[shift:] == number[:-shift])
        if not len(same):
            return
        i, j = box[same], box[same + shift]
        # A pair that shares several cells counts in the one with the low corner of what its boxes share.
        home = grid.numbers(grid.places(np.maximum(low[i], low[j])))
        once = ((low[i] <= high[j]) & (low[j] <= high[i])).all(axis=1) & (home == number[same])
        yield i[once], j[once]


def volumes(a, b, c, d):
    """Six times the signed volumes of tetrahedra; those within rounding are zero."""
    u, v, w = b - a, c - a, d - a
    volume = np.einsum("ij,ij->i", np.cross(u, v), w)
    scale = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1) * np.linalg.norm(w, axis=1)
    return np.where(np.abs(volume) > FLAT * scale, volume, 0)


def segments_meet_triangles(p, q, t):
    """Two answers: whether segments pass through triangles, and whether they pass or touch. Segments in the plane do neither."""
    above, below = volumes(t[:, 0], t[:, 1], t[:, 2], p), volumes(t[:, 0], t[:, 1], t[:, 2], q)
    sides = np.stack([volumes(p, q, t[:, k], t[:, (k + 1) % 3]) for k in range(3)])
    inside = ((sides >= 0).all(axis=0) | (sides <= 0).all(axis=0)) & (sides != 0).any(axis=0)
    in_plane = (above == 0) & (below == 0)
    # A segment that crosses the plane right through an edge of the triangle passes: the sheet goes on beyond the edge.
    return inside & (above * below < 0), inside & (above * below <= 0) & ~in_plane


def overlap_in_plane(a, b):
    """Whether triangles in one plane have an area in common: no side of either separates them."""
    normal = np.cross(a[:, 1] - a[:, 0], a[:, 2] - a[:, 0])
    overlap = np.ones(len(a), bool)
    for one in (a, b):
        for k in range(3):
            across = np.cross(normal, one[:, (k + 1) % 3] - one[:, k])
            on_a, on_b = np.einsum("ij,ikj->ik", across, a - one[:, k:k + 1]), np.einsum("ij,ikj->ik", across, b - one[:, k:k + 1])
            gap = FLAT ** 0.5 * np.maximum(np.ptp(on_a, axis=1), np.ptp(on_b, axis=1))
            overlap &= (on_a.min(axis=1) < on_b.max(axis=1) - gap) & (on_b.min(axis=1) < on_a.max(axis=1) - gap)
    return overlap


def triangles_meet(a, b):
    """Whether pairs of triangles (n x 3 x 3 each) pass through each other, and whether they only touch."""
    through, touching = np.zeros(len(a), bool), np.zeros(len(a), bool)
    for one, other in ((a, b), (b, a)):
        for k in range(3):
            passes, meets = segments_meet_triangles(one[:, k], one[:, (k + 1) % 3], other)
            through |= passes
            touching |= meets
    flat = np.all([volumes(a[:, 0], a[:, 1], a[:, 2], b[:, k]) == 0 for k in range(3)], axis=0)
    through[flat] |= overlap_in_plane(a[flat], b[flat])
    return through, touching & ~through


def find_intersections(points, triangles, group=None):
    """Pairs of triangles (n x 2, in order) that pass through each other, and those that touch. Only pairs without a common vertex; with
    a group for each triangle, only pairs of two groups."""
    corners = points[triangles]
    through, touching = [], []
    for i, j in pairs_of_boxes(corners.min(axis=1), corners.max(axis=1)):
        apart = (triangles[i][:, :, None] != triangles[j][:, None, :]).all(axis=(1, 2))
        if group is not None:
            apart &= group[i] != group[j]
        i, j = i[apart], j[apart]
        for begin in range(0, len(i), PAIRS_AT_ONCE):
            some = slice(begin, begin + PAIRS_AT_ONCE)
            passes, touches = triangles_meet(corners[i[some]], corners[j[some]])
            through.append(np.stack([i[some][passes], j[some][passes]], axis=1))
            touching.append(np.stack([i[some][touches], j[some][touches]], axis=1))

    def in_order(found):
        pairs = np.concatenate([np.zeros((0, 2), np.int64), *found])
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return in_order(through), in_order(touching)


def find_intersections_between(points, triangles, other_points, other_triangles):
    """The same for triangles of two meshes: pairs of a triangle of the first and one of the second."""
    both = np.concatenate([triangles, other_triangles + len(points)])
    group = np.repeat([0, 1], [len(triangles), len(other_triangles)])
    offset = np.array([0, len(triangles)])
    return tuple(pairs - offset for pairs in find_intersections(np.concatenate([points, other_points]), both, group))


def agreement_with_neighbours(points, triangles):
    """The normal of each triangle times the sum of its neighbours' (with their areas); zero where there are none."""
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    edges = np.sort(np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
    owner = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    edges, owner = edges[order], owner[order]
    pair = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    around = np.zeros_like(normal)
    np.add.at(around, owner[pair], normal[owner[pair + 1]])
    np.add.at(around, owner[pair + 1], normal[owner[pair]])
    return np.einsum("ij,ij->i", normal, around)


def find_inverted(rest, points, triangles):
    """Triangles that have been turned over against their neighbours since they were at rest."""
    return np.flatnonzero((agreement_with_neighbours(points, triangles) < 0) & (agreement_with_neighbours(rest, triangles) >= 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mesh")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--rest")
    parser.add_argument("--first", type=int, default=5, help="how many of each are named")
    options = parser.parse_args()
    points, triangles = read_mesh(options.mesh)
    if options.other:
        through, touching = find_intersections_between(points, triangles, *read_mesh(options.other))
    else:
        through, touching = find_intersections(points, triangles)
    print(f"{len(through)} intersections, {len(touching)} that touch")
    for i, j in through[:options.first]:
        print(f"  triangles {i} and {j} near {np.round(points[triangles[i]].mean(axis=0), 6).tolist()}")
    inverted = []
    if options.rest:
        rest, rest_triangles = read_mesh(options.rest)
        if not np.array_equal(rest_triangles, triangles):
            sys.exit(f"{options.rest}: its triangles are not those of {options.mesh}")
        inverted = find_inverted(rest, points, triangles)
        print(f"{len(inverted)} inverted")
        for i in inverted[:options.first]:
            print(f"  triangle {i} near {np.round(points[triangles[i]].mean(axis=0), 6).tolist()}")
    sys.exit(1 if len(through) or len(inverted) else 0)


if __name__ == "__main__":
    main()
