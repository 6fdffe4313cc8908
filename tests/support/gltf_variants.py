"""Variants of a glTF character, made by editing its JSON and its arrays: what other programs and people would have written."""
import copy, json, random, re, struct

import numpy as np

from numpy_gltf import TYPES, Gltf


class Editable(Gltf):
    def copy(self):
        return copy.deepcopy(self)

    def joints(self):
        """Nodes that skins name, each once, in order."""
        return sorted({j for skin in self.json.get("skins", []) for j in skin["joints"]})

    def names(self):
        return [self.nodes[j].get("name", "") for j in self.joints()]

    def raw(self, index):
        """An accessor's numbers as they are stored."""
        a = self.json["accessors"][index]
        assert not a.get("normalized") or TYPES[a["componentType"]] == "<f4", "normalised accessors are not edited"
        return self.accessor(index).astype(TYPES[a["componentType"]])

    def add(self, like, values):
        """A new accessor of the same kind, with other values."""
        self.json["accessors"].append(copy.deepcopy(self.json["accessors"][like]))
        index = len(self.json["accessors"]) - 1
        self.replace(index, values)
        return index

    def replace(self, index, values):
        a = self.json["accessors"][index]
        data = np.ascontiguousarray(values, TYPES[a["componentType"]])
        self.json["bufferViews"].append({"buffer": len(self.buffers), "byteLength": data.nbytes})
        self.buffers.append(data.tobytes())
        for key in ("sparse", "min", "max"):
            a.pop(key, None)
        a.update(bufferView=len(self.json["bufferViews"]) - 1, byteOffset=0, count=len(data),
                 min=data.min(0).tolist(), max=data.max(0).tolist())

    def save(self, path):
        """One binary glTF file, whatever it was."""
        starts, binary = [], b""
        for data in self.buffers:
            binary += b"\0" * (-len(binary) % 4)
            starts.append(len(binary))
            binary += data
        written = copy.deepcopy(self.json)
        for view in written.get("bufferViews", []):
            view["byteOffset"] = starts[view["buffer"]] + view.get("byteOffset", 0)
            view["buffer"] = 0
        binary += b"\0" * (-len(binary) % 4)
        written["buffers"] = [{"byteLength": len(binary)}]
        text = json.dumps(written).encode()
        text += b" " * (-len(text) % 4)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") +
                         text + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def shortened(gltf, seconds):
    """The first clip alone, up to a time."""
    made = gltf.copy()
    del made.json.get("animations", [])[1:]
    for sampler in [s for clip in made.json.get("animations", []) for s in clip["samplers"]]:
        times = made.raw(sampler["input"])
        keys = max(2, int((times[:, 0] <= seconds).sum()))
        values = made.raw(sampler["output"])
        sampler["output"] = made.add(sampler["output"], values[:keys * len(values) // len(times)])
        sampler["input"] = made.add(sampler["input"], times[:keys])
    return made


def renamed(gltf, rename):
    """`rename` gets the names of all joints and gives as many; None takes a name away."""
    made = gltf.copy()
    for joint, name in zip(made.joints(), rename(gltf.names()), strict=True):
        made.nodes[joint].pop("name", None)
        if name is not None:
            made.nodes[joint]["name"] = name
    return made


def scaled(gltf, factor):
    """In other units: as many times as large."""
    made = gltf.copy()
    for node in made.nodes:
        if "translation" in node:
            node["translation"] = [factor * x for x in node["translation"]]
        if "matrix" in node:
            node["matrix"][12:15] = [factor * x for x in node["matrix"][12:15]]
    accessors = {p["attributes"]["POSITION"] for mesh in made.json["meshes"] for p in mesh["primitives"]}
    accessors |= {t["POSITION"] for mesh in made.json["meshes"] for p in mesh["primitives"] for t in p.get("targets", [])}
    for clip in made.json.get("animations", []):
        accessors |= {clip["samplers"][c["sampler"]]["output"] for c in clip["channels"] if c["target"]["path"] == "translation"}
    for index in accessors:
        made.replace(index, factor * made.raw(index))
    for index in {skin["inverseBindMatrices"] for skin in made.json.get("skins", [])}:
        matrices = made.raw(index)
        matrices[:, 12:15] *= factor
        made.replace(index, matrices)
    return made


def without_uvs(gltf):
    made = gltf.copy()
    for mesh in made.json["meshes"]:
        for primitive in mesh["primitives"]:
            for name in [n for n in primitive["attributes"] if n.startswith("TEXCOORD")]:
                del primitive["attributes"][name]
    return made


def with_stray_joints(gltf):
    """Every tenth vertex hangs on a joint that the skin does not have."""
    made = gltf.copy()
    for mesh in made.json["meshes"]:
        for primitive in mesh["primitives"]:
            joints = made.raw(primitive["attributes"]["JOINTS_0"])
            joints[::10] = 250
            primitive["attributes"]["JOINTS_0"] = made.add(primitive["attributes"]["JOINTS_0"], joints)
    return made


def with_loose_parts(gltf, count):
    """Beside the body, parts of the same shape that do not touch it: at a tenth of its size, so that it stays what stands out."""
    made = gltf.copy()
    for mesh in made.json["meshes"]:
        for primitive in list(mesh["primitives"]):
            positions = made.raw(primitive["attributes"]["POSITION"])
            centre, width = positions.mean(0), np.ptp(positions, axis=0).max()
            for i in range(count):
                part = copy.deepcopy(primitive)
                offset = np.array([0.02 * (i + 1) * width, 0, 0])
                part["attributes"]["POSITION"] = made.add(primitive["attributes"]["POSITION"],
                                                          centre + offset + 0.01 * (positions - centre))
                for what in ("JOINTS_0", "WEIGHTS_0"):  # each moves as a whole
                    values = made.raw(primitive["attributes"][what])
                    part["attributes"][what] = made.add(primitive["attributes"][what], np.tile(values[:1], (len(values), 1)))
                for target in part.get("targets", []):
                    for what, shape in target.items():
                        target[what] = made.add(shape, 0 * made.raw(shape))
                mesh["primitives"].append(part)
    return made


def _reordered(name):
    """The same words the other way round: LeftForeArm_02 is 02_Arm_Fore_Left."""
    return "_".join(reversed(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+", name)))


def _shuffled(names):
    names = list(names)
    random.Random(1).shuffle(names)
    return names


def _half_wrong(names):
    choose = random.Random(1)
    return [choose.choice(names) if choose.random() < 0.5 else name for name in names]


# Names that a person can still read.
READABLE = {
    "prefixed": lambda names: ["Anna_" + n for n in names],
    "in a namespace": lambda names: ["mixamorig1:" + n for n in names],
    "as Rigify's": lambda names: ["DEF-" + n for n in names],
    "suffixed": lambda names: [n + "_bind_jnt" for n in names],
    "numbered": lambda names: [f"{n}_{i:03}" for i, n in enumerate(names)],
    "in capitals": lambda names: [n.upper() for n in names],
    "reordered": lambda names: [_reordered(n) for n in names],
}
# Names that tell nothing, or something else.
UNREADABLE = {
    "unnamed": lambda names: [None] * len(names),
    "all alike": lambda names: [f"Bone.{i:03}" for i in range(len(names))],
    "shuffled": _shuffled,
    "half wrong": _half_wrong,
}
