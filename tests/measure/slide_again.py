"""How far skin has slid, from positions of skin and body alone: each vertex is sought on the triangles of the body as it moves,
beginning where it lay in the frame before, and the place found is measured on the body at rest. With NumPy and nothing of Cutis."""
import heapq
import numpy as np

MOST_STEPS = 60  # of the search, from triangle to triangle around
# Skin lies on a smooth surface and keeps its own offset from it, so that on the flat triangles its place is known to a share of
# their longest edge: 0.17 at most in the examples.
OFF = 0.25
MOST_NAMED = 20  # vertices of a frame
MOST_FRAMES = 12  # that are looked at, spread over the shot


def closest_on_triangles(p, a, b, c):
    """Barycentrics of the closest points, and their distances (Ericson, "Real-Time Collision Detection", 5.1.5, by clamping each edge)."""
    ab, ac, ap = b - a, c - a, p - a
    d00, d01, d11 = (ab * ab).sum(-1), (ab * ac).sum(-1), (ac * ac).sum(-1)
    d20, d21 = (ap * ab).sum(-1), (ap * ac).sum(-1)
    area = np.maximum(d00 * d11 - d01 * d01, 1e-300)
    v, w = (d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area
    best = np.stack([1 - v - w, v, w], axis=-1)
    outside = (best < 0).any(axis=-1)
    least = np.full(outside.shape, np.inf)
    for i, (start, end) in enumerate(((a, b), (b, c), (c, a))):
        along = end - start
        t = np.clip(((p - start) * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-300), 0, 1)
        off = np.linalg.norm(start + t[..., None] * along - p, axis=-1)
        closer = outside & (off < least)
        least = np.where(closer, off, least)
        on_edge = np.zeros(best.shape)
        on_edge[..., i], on_edge[..., (i + 1) % 3] = 1 - t, t
        best = np.where(closer[..., None], on_edge, best)
    at = best[..., :1] * a + best[..., 1:2] * b + best[..., 2:] * c
    return best, np.linalg.norm(at - p, axis=-1)


class SlideAgain:
    def __init__(self, mesh):
        self.rest, self.triangles = mesh["rest"].astype(np.float64), mesh["triangles"]
        _, first = np.unique(mesh["welded"], return_index=True)
        self.home = first[mesh["welded"]]  # the vertex that stands for each in the triangles
        count = len(self.rest)
        around = [[] for _ in range(count)]
        for t, corners in enumerate(self.triangles):
            for v in corners:
                around[v].append(t)
        self.used = np.array([len(around[v]) > 0 for v in self.home])
        rings = [sorted({t for v in corners for t in around[v]}) for corners in self.triangles]
        width = max(map(len, rings), default=1)
        self.rings = np.array([ring + [ring[0]] * (width - len(ring)) for ring in rings])
        self.start = np.array([around[v][0] if around[v] else 0 for v in self.home])
        sides = self.rest[self.triangles] - self.rest[np.roll(self.triangles, 1, axis=1)]
        self.longest_edge = np.linalg.norm(sides, axis=2).max(axis=1, initial=0)
        self.neighbours = [sorted({v for t in ring for v in self.triangles[t]}) for ring in around]

    def places(self, body, skin, start):
        """The triangle and the barycentrics of each vertex, by going to the closest triangle around until none is closer."""
        face = start.copy()
        shares = np.zeros((len(face), 3))
        going = self.used.copy()
        for _ in range(MOST_STEPS):
            index = np.flatnonzero(going)
            if not len(index):
                break
            candidates = self.rings[face[index]]
            corners = body[self.triangles[candidates]]
            found, off = closest_on_triangles(skin[index][:, None], corners[:, :, 0], corners[:, :, 1], corners[:, :, 2])
            best, row = off.argmin(axis=1), np.arange(len(index))
            # Of two equally close triangles the one it is on: corners and edges belong to several.
            own = np.where(candidates == face[index][:, None], off, np.inf).argmin(axis=1)
            best = np.where(off[row, own] <= off[row, best] * (1 + 1e-12), own, best)
            shares[index] = found[row, best]
            going[index] = candidates[row, best] != face[index]
            face[index] = candidates[row, best]
        return face, shares

    def chords(self, face, shares):
        at = np.einsum("vk,vkd->vd", shares, self.rest[self.triangles[face]])
        return np.where(self.used, np.linalg.norm(at - self.rest[self.home], axis=1), 0)

    def places_nearby(self, body, point, off):
        """All places of the body this close to a point: in a crease, where sheets of the body touch, any of them may be meant."""
        corners = body[self.triangles]
        shares, away = closest_on_triangles(point[None], corners[:, 0], corners[:, 1], corners[:, 2])
        near = np.flatnonzero(away < off)
        return near, shares[near]

    def chords_nearby(self, body, point, vertex, off):
        near, shares = self.places_nearby(body, point, off)
        at = np.einsum("vk,vkd->vd", shares, self.rest[self.triangles[near]])
        return np.linalg.norm(at - self.rest[self.home[vertex]], axis=1)

    def way_over_edges(self, vertex, face, shares):
        """From a vertex at rest to a place, along edges as far as its triangle: never shorter than the shortest way (Dijkstra)."""
        corners = self.triangles[face]
        ends = np.linalg.norm(self.rest[corners] - shares @ self.rest[corners], axis=1)
        start = self.home[vertex]
        reached, front = {}, [(0.0, start)]
        while front and not all(v in reached for v in corners):
            length, v = heapq.heappop(front)
            if v in reached:
                continue
            reached[v] = length
            for w in self.neighbours[v]:
                if w not in reached:
                    heapq.heappush(front, (length + np.linalg.norm(self.rest[w] - self.rest[v]), w))
        return min(reached.get(v, np.inf) + end for v, end in zip(corners, ends))


def check_slides(mesh, frames):
    """What is wrong with the fields slide and slide_chord of these frames, which hold positions and those of what skin lies on:
    the body, or its flesh."""
    again, problems = SlideAgain(mesh), []
    face = again.start
    for i in sorted({round(k * (len(frames) - 1) / (MOST_FRAMES - 1)) for k in range(MOST_FRAMES)}):
        base = "flesh" if "flesh" in frames[i] else "body"
        body, skin = (frames[i][name].astype(np.float64) for name in (base, "positions"))
        face, shares = again.places(body, skin, face)
        chord, off = again.chords(face, shares), OFF * again.longest_edge[face]
        if "slide_chord" in frames[i]:
            stored = frames[i]["slide_chord"].astype(np.float64)
            for v in np.flatnonzero(np.abs(stored - chord) > off)[:MOST_NAMED]:
                if not (np.abs(again.chords_nearby(body, skin[v], v, off[v]) - stored[v]) <= off[v]).any():
                    problems.append(f"frame {i + 1}: slide_chord of vertex {v} is not the {chord[v]:.4g} m found again")
        if "slide" in frames[i]:
            slide = frames[i]["slide"].astype(np.float64)
            for v in np.flatnonzero(slide < chord - off)[:MOST_NAMED]:
                if not (again.chords_nearby(body, skin[v], v, off[v]) - off[v] <= slide[v]).any():
                    problems.append(f"frame {i + 1}: slide of vertex {v} is less than the straight {chord[v]:.4g} m")
            for v in np.argsort(slide)[-3:]:
                way = again.way_over_edges(v, face[v], shares[v])
                if slide[v] > way + off[v] and not any(slide[v] <= again.way_over_edges(v, f, b) + off[v]
                                                       for f, b in zip(*again.places_nearby(body, skin[v], off[v]))):
                    problems.append(f"frame {i + 1}: slide of vertex {v} is {slide[v]:.4g} m, a way of {way:.4g} m leads there")
    return problems
