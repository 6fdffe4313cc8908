"""Other meshes of a character go with its skin into pictures and exports: what lies on the skin stays on it, what is rigid keeps its shape. A
GLB keeps materials, joints and clips, and ends where the result ends. The character is a fox with a blanket on its back that hangs on one joint,
and an eye; half of its faces have a material of hair."""
import json, pathlib, struct, tempfile
import numpy as np
from testkit import cutis, data_folder

UNITS = 100  # of the file in a metre
START, END = 0.1, 0.4  # [s] of a clip of 1.158 s
fox = data_folder() / "khronos-fox/Fox.glb"


def read_glb(path):
    data = open(path, "rb").read()
    length = int.from_bytes(data[12:16], "little")
    return json.loads(data[20:20 + length]), data[28 + length:]


def numbers(document, binary, accessor):
    accessor = document["accessors"][accessor]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return np.frombuffer(binary, kind, accessor["count"] * width, start).reshape(-1, width)


class Builder:
    """Adds to a GLB."""

    def __init__(self, path):
        self.document, self.binary = read_glb(path)

    def add(self, values, kind, dtype):
        self.binary += bytes(-len(self.binary) % 4)
        data = np.ascontiguousarray(values, dtype).tobytes()
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        accessor = {"bufferView": len(self.document["bufferViews"]) - 1, "type": kind, "count": len(values),
                    "componentType": {"<u2": 5123, "<u4": 5125, "<f4": 5126}[dtype]}
        if kind == "VEC3":
            accessor.update(min=np.min(values, axis=0).tolist(), max=np.max(values, axis=0).tolist())
        self.document["accessors"].append(accessor)
        return len(self.document["accessors"]) - 1

    def add_mesh(self, name, points, triangles, joint):
        """Hangs on one joint."""
        joints, weights = np.zeros((len(points), 4)), np.zeros((len(points), 4))
        joints[:, 0], weights[:, 0] = joint, 1
        attributes = {"POSITION": self.add(points, "VEC3", "<f4"), "JOINTS_0": self.add(joints, "VEC4", "<u2"),
                      "WEIGHTS_0": self.add(weights, "VEC4", "<f4")}
        indices = self.add(np.ravel(triangles)[:, None], "SCALAR", "<u4")
        self.document["meshes"].append({"name": name, "primitives": [{"attributes": attributes, "indices": indices}]})
        self.document["nodes"].append({"name": name, "mesh": len(self.document["meshes"]) - 1, "skin": 0})
        self.document["scenes"][0]["nodes"].append(len(self.document["nodes"]) - 1)

    def write(self, path):
        self.document["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        binary = self.binary + bytes(-len(self.binary) % 4)
        path.write_bytes(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(binary)) + struct.pack("<I", len(text)) + b"JSON" + text +
                         struct.pack("<I", len(binary)) + b"BIN\0" + binary)


def make_character(path):
    """The fox; of each corner of the blanket the vertex of the skin that it lies on."""
    fox_file = Builder(fox)
    document = fox_file.document
    names = [document["nodes"][j]["name"] for j in document["skins"][0]["joints"]]
    skin = document["meshes"][0]["primitives"][0]
    points = numbers(document, fox_file.binary, skin["attributes"]["POSITION"])
    corners = np.arange(len(points)).reshape(-1, 3)
    # Faces of the back, and a tetrahedron beside the head.
    middle = points[corners].mean(axis=1)
    back = corners[(middle[:, 1] > 45) & (abs(middle[:, 2]) < 30)]
    fox_file.add_mesh("blanket_cloth", points[back.ravel()], np.arange(back.size).reshape(-1, 3),
                      next(i for i, name in enumerate(names) if "Spine01" in name))
    eye = points[middle.argmax(axis=0)[2] * 3] + np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]])
    fox_file.add_mesh("eye", eye, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
                      next(i for i, name in enumerate(names) if "Head" in name))
    # Half of the faces have hair.
    half = len(corners) // 2
    skin["indices"] = fox_file.add(np.arange(3 * half)[:, None], "SCALAR", "<u4")
    hair = dict(skin, indices=fox_file.add(np.arange(3 * half, 3 * len(corners))[:, None], "SCALAR", "<u4"), material=1)
    document["meshes"][0]["primitives"].append(hair)
    document["materials"].append({"name": "Hair_Mat", "pbrMetallicRoughness": {"baseColorFactor": [0.2, 0.1, 0, 1]}})
    fox_file.write(path)
    return back.ravel()


def frame(document, binary, name, i):
    """Positions [m] of a mesh where only its i-th target has a weight; 0: none."""
    (mesh,) = [mesh for mesh in document["meshes"] if mesh["name"] == name]
    primitive = mesh["primitives"][0]
    points = numbers(document, binary, primitive["attributes"]["POSITION"]).astype(float)
    if i:
        points = points + numbers(document, binary, primitive["targets"][i - 1]["POSITION"])
    return points / UNITS


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    lies_on = make_character(folder / "fox.glb")
    said = cutis("info", folder / "fox.glb").stdout
    assert "materials: fox_material (288 faces), Hair_Mat (288 faces)" in said and "\n  face   " in said, said
    cutis("new", folder / "fox.glb", "--out", folder / "new.toml")
    starter = (folder / "new.toml").read_text()
    assert 'use = "exclude"' in starter and 'material = ["Hair_Mat"]' in starter, starter
    shots = {}
    for kind, lines in {"plain": '[skin]\nmethod = "none"\n', "flesh": '[skin]\nmethod = "none"\n[flesh]\nuse = true\ntetrahedra = 1000\n',
                        "skin": '[skin]\nmethod = "lagrangian"\n[[skin.region]]\nuse = "exclude"\npart = ["face", "tail"]\n'}.items():
        (folder / f"{kind}.toml").write_text(
            f'[body]\nfile = "fox.glb"\nmesh = "fox1"\nclip = "Run"\nscale = "1 cm"\n[time]\nstart = {START}\nend = {END}\nfps = 10\n'
            f'{lines}[output]\nformats = ["glb", "pc2"]\n')
        cutis("simulate", folder / f"{kind}.toml", "--out", folder / kind)
        shots[kind] = read_glb(folder / kind / "skin.glb")
        assert {path.name for path in (folder / kind).glob("skin*")} == {
            "skin.glb", "skin.pc2", "skin-blanket_cloth.pc2", "skin-eye.pc2"}, list((folder / kind).iterdir())

    source, _ = read_glb(folder / "fox.glb")
    document, _ = shots["plain"]
    assert [mesh["name"] for mesh in document["meshes"]] == ["cutis", "blanket_cloth", "eye"], document["meshes"]
    materials = [document["materials"][primitive["material"]] for primitive in document["meshes"][0]["primitives"]]
    assert [material["name"] for material in materials] == ["fox_material", "Hair_Mat"], materials
    assert materials[1] == source["materials"][1] and len(document["images"]) == 1, document
    joints = {source["nodes"][j]["name"] for j in source["skins"][0]["joints"]}
    assert joints <= {node.get("name") for node in document["nodes"]} and len(document["skins"]) == 1
    assert [animation["name"] for animation in document["animations"]] == ["shot", "Survey", "Walk"], document["animations"]
    shot = document["animations"][0]
    for end, expected in (("min", START), ("max", END)):
        found = {document["accessors"][sampler["input"]][end][0] for sampler in shot["samplers"]}
        assert np.allclose(list(found), expected, atol=1e-6), (found, expected)
    assert {channel["target"]["path"] for channel in shot["channels"]} >= {"weights", "rotation"}

    for kind, (document, binary) in shots.items():
        off, rigid = 0, 0
        for i in range(4):
            skin, blanket, eye = (frame(document, binary, mesh, i) for mesh in ("cutis", "blanket_cloth", "eye"))
            off = max(off, np.linalg.norm(blanket - skin[lies_on], axis=1).max())
            rigid = max(rigid, abs(np.linalg.norm(eye[1:] - eye[0], axis=1) - 0.02).max())
        moved = [np.linalg.norm(frame(document, binary, mesh, 2) - frame(*shots["plain"], mesh, 2), axis=1).max()
                 for mesh in ("cutis", "blanket_cloth", "eye")]
        print(f"{kind}: carried by up to {', '.join(f'{1000 * far:.2f}' for far in moved)} mm (skin, blanket, eye); the blanket is off the skin by "
              f"{1000 * off:.5f} mm, edges of the eye change by {1000 * rigid:.5f} mm")
        assert off < 1e-4 and rigid < 1e-4, kind
        assert kind == "plain" or min(moved[:2]) > 1e-3, kind

    cutis("picture", folder / "skin", "--no-animation", "--look", "texture", "--zoom", "face", "--size", "160x90")
    cutis("picture", folder / "skin", "--no-animation", "--skin-only", "--body", "hidden", "--size", "160x90", "--out", folder / "alone")
    assert (folder / "skin/pictures/still.png").read_bytes() != (folder / "alone/still.png").read_bytes()
    cutis("picture", folder / "skin", "--zoom", "fase", expect=2)
