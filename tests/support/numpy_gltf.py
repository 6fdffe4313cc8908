"""A small glTF evaluator of its own, for tests: reads the file with json and struct, plays it with NumPy.
Shares nothing with the C++; follows the glTF 2.0 specification word by word and cares nothing for speed."""
import base64, json, pathlib, struct, subprocess

import numpy as np

from testkit import BUILD

TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    def __init__(self, path):
        path = pathlib.Path(path)
        data = path.read_bytes()
        binary = b""
        if data[:4] == b"glTF":
            length, = struct.unpack_from("<I", data, 12)
            self.json = json.loads(data[20:20 + length])
            if 20 + length < len(data):
                size, = struct.unpack_from("<I", data, 20 + length)
                binary = data[28 + length:28 + length + size]
        else:
            self.json = json.loads(data)
        self.buffers = [self._buffer(b, path, binary) for b in self.json.get("buffers", [])]
        self.nodes = self.json.get("nodes", [])
        self.clips = self.json.get("animations", [])
        self.instances = [i for i, n in enumerate(self.nodes) if "mesh" in n]  # nodes that carry a mesh
        self.parents = {c: i for i, n in enumerate(self.nodes) for c in n.get("children", [])}

    @staticmethod
    def _buffer(b, path, binary):
        if "uri" not in b:
            return binary
        if b["uri"].startswith("data:"):
            return base64.b64decode(b["uri"].split(",", 1)[1])
        return (path.parent / b["uri"]).read_bytes()

    def _view(self, view, offset, count, dtype, width):
        v = self.json["bufferViews"][view]
        itemsize = np.dtype(dtype).itemsize
        stride = v.get("byteStride", itemsize * width)
        start = v.get("byteOffset", 0) + offset
        return np.ndarray((count, width), dtype, self.buffers[v["buffer"]], start, (stride, itemsize)).copy()

    def accessor(self, index):
        a = self.json["accessors"][index]
        dtype, width, count = TYPES[a["componentType"]], SIZES[a["type"]], a["count"]
        if "bufferView" in a:
            raw = self._view(a["bufferView"], a.get("byteOffset", 0), count, dtype, width)
        else:
            raw = np.zeros((count, width), dtype)
        if "sparse" in a:
            s = a["sparse"]
            where = self._view(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"],
                               TYPES[s["indices"]["componentType"]], 1)[:, 0]
            raw[where] = self._view(s["values"]["bufferView"], s["values"].get("byteOffset", 0), s["count"], dtype, width)
        values = raw.astype(np.float64)
        if a.get("normalized"):
            values = np.maximum(values / np.iinfo(dtype).max, -1)
        return values

    def primitives(self, instance):
        return self.json["meshes"][self.nodes[instance]["mesh"]]["primitives"]

    def used_vertices(self, instance):
        """Rows of the concatenated vertices that a triangle uses, in order: the ones Blender keeps."""
        rows, first = [], 0
        for p in self.primitives(instance):
            count = self.json["accessors"][p["attributes"]["POSITION"]]["count"]
            used = self.accessor(p["indices"])[:, 0].astype(int) if "indices" in p else np.arange(count)
            rows.append(first + np.unique(used))
            first += count
        return np.concatenate(rows)

    def key_times(self, clip):
        return np.unique(np.concatenate([self.accessor(s["input"])[:, 0] for s in self.clips[clip]["samplers"]]))

    def _sample(self, clip, channel, time):
        sampler = self.clips[clip]["samplers"][channel["sampler"]]
        mode = sampler.get("interpolation", "LINEAR")
        times = self.accessor(sampler["input"])[:, 0]
        keys = len(times)
        values = self.accessor(sampler["output"]).reshape(keys, 3 if mode == "CUBICSPLINE" else 1, -1)
        middle = 1 if mode == "CUBICSPLINE" else 0
        k = int(np.searchsorted(times, time, side="right")) - 1
        rotation = channel["target"]["path"] == "rotation"
        if k < 0:
            value = values[0, middle]
        elif k >= keys - 1:
            value = values[-1, middle]
        elif mode == "STEP":
            value = values[k, 0]
        else:
            width = times[k + 1] - times[k]
            t = (time - times[k]) / width
            if mode == "CUBICSPLINE":
                value = ((2 * t**3 - 3 * t**2 + 1) * values[k, 1] + width * (t**3 - 2 * t**2 + t) * values[k, 2] +
                         (-2 * t**3 + 3 * t**2) * values[k + 1, 1] + width * (t**3 - t**2) * values[k + 1, 0])
            elif rotation:
                a, b = (q / np.linalg.norm(q) for q in (values[k, 0], values[k + 1, 0]))
                dot = a @ b
                if dot < 0:
                    b, dot = -b, -dot
                # A way to slerp that uses no arc cosine: the angle from the two halves of the rhombus.
                angle = 2 * np.arctan2(np.linalg.norm(b - a), np.linalg.norm(b + a))
                value = a if angle == 0 else (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle)
            else:
                value = (1 - t) * values[k, 0] + t * values[k + 1, 0]
        return value / np.linalg.norm(value) if rotation else value

    def _local(self, node, moved):
        n = self.nodes[node]
        if "matrix" in n and not moved:
            return np.array(n["matrix"], float).reshape(4, 4).T
        m = np.eye(4)
        x, y, z, w = moved.get("rotation", n.get("rotation", [0, 0, 0, 1]))
        norm = np.sqrt(x * x + y * y + z * z + w * w)
        x, y, z, w = x / norm, y / norm, z / norm, w / norm
        m[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        m[:3, :3] *= np.asarray(moved.get("scale", n.get("scale", [1, 1, 1])))[None, :]
        m[:3, 3] = moved.get("translation", n.get("translation", [0, 0, 0]))
        return m

    def evaluate(self, instance, clip, time):
        """World positions of the mesh on node `instance`; clip None is the still pose."""
        moved = {}
        if clip is not None:
            for c in self.clips[clip]["channels"]:
                moved.setdefault(c["target"]["node"], {})[c["target"]["path"]] = self._sample(clip, c, time)

        def world(node):
            changes = {k: v for k, v in moved.get(node, {}).items() if k != "weights"}
            local = self._local(node, changes)
            return world(self.parents[node]) @ local if node in self.parents else local

        node = self.nodes[instance]
        mesh = self.json["meshes"][node["mesh"]]
        skinned = "skin" in node
        if skinned:
            skin = self.json["skins"][node["skin"]]
            bind = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            matrices = np.stack([world(j) @ bind[i] for i, j in enumerate(skin["joints"])])
        parts = []
        for p in mesh["primitives"]:
            points = self.accessor(p["attributes"]["POSITION"])
            weights = moved.get(instance, {}).get("weights", node.get("weights", mesh.get("weights")))
            for i, target in enumerate(p.get("targets", [])):
                if "POSITION" in target and weights is not None:
                    points = points + weights[i] * self.accessor(target["POSITION"])
            points = np.c_[points, np.ones(len(points))]
            if not skinned:
                parts.append((points @ world(instance).T)[:, :3])
                continue
            sets = [k for k in range(8) if f"JOINTS_{k}" in p["attributes"]]
            joints = np.hstack([self.accessor(p["attributes"][f"JOINTS_{k}"]).astype(int) for k in sets])
            weights = np.hstack([self.accessor(p["attributes"][f"WEIGHTS_{k}"]) for k in sets])
            # A vertex may name joints that are missing from its skin: they do not move it.
            weights = np.where(joints < len(matrices), weights, 0)
            weights = weights / weights.sum(1, keepdims=True)
            joints = np.minimum(joints, len(matrices) - 1)
            blended = np.einsum("vk,vkij->vij", weights, matrices[joints])
            parts.append(np.einsum("vij,vj->vi", blended, points)[:, :3])
        return np.concatenate(parts)


def names_missing_joints(gltf):
    """Whether a vertex of a skinned mesh names a joint that is missing from its skin: Blender cannot import that."""
    for node in (n for n in gltf.nodes if "mesh" in n and "skin" in n):
        joints = len(gltf.json["skins"][node["skin"]]["joints"])
        for primitive in gltf.json["meshes"][node["mesh"]]["primitives"]:
            for name, accessor in primitive["attributes"].items():
                if name.startswith("JOINTS_") and gltf.accessor(accessor).max() >= joints:
                    return True
    return False


def size(points):
    """Diagonal of the bounding box."""
    return float(np.linalg.norm(points.max(0) - points.min(0)))


def characters(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".glb", ".gltf"))


def evaluate_body(file, mesh, clip, times, folder):
    """The library's own positions of a mesh (counted as Gltf.instances): at rest and at each time."""
    out = pathlib.Path(folder) / "positions"
    subprocess.run([str(BUILD / "tests/evaluate_body"), str(file), str(out), str(mesh), str(-1 if clip is None else clip),
                    *(repr(float(t)) for t in times)], check=True)
    return np.fromfile(out, "<f8").reshape(1 + len(times), -1, 3)
