"""The other meshes of a character go with its skin into every export; a GLB keeps materials, joints and clips, and ends where the result ends."""
import json, pathlib, tempfile
import numpy as np
from testkit import cutis, data_folder

END = 1.2  # [s]; the clip of the yeti is longer
character = data_folder() / "babylon-yeti/babylon_yeti.glb"


def read_glb(path):
    data = open(path, "rb").read()
    length = int.from_bytes(data[12:16], "little")
    return json.loads(data[20:20 + length]), data[28 + length:]


def floats(document, binary, accessor):
    accessor = document["accessors"][accessor]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    start = view["byteOffset"] + accessor.get("byteOffset", 0)
    return np.frombuffer(binary, "<f4", accessor["count"] * width, start).reshape(-1, width)


def frame(document, binary, mesh, i):
    """Positions of a mesh where only its i-th target has a weight; 0: none."""
    primitive = document["meshes"][mesh]["primitives"][0]
    points = floats(document, binary, primitive["attributes"]["POSITION"]).astype(float)
    return points + floats(document, binary, primitive["targets"][i - 1]["POSITION"]) if i else points


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "yeti.toml").write_text(f'''
[body]
file = "{character}"
mesh = "YetiBody_low"
[time]
start = 1
end = {END}
fps = 10
[skin]
method = "none"
''')
    result = folder / "yeti"
    cutis("simulate", folder / "yeti.toml", "--out", result)
    others = ["YetiEyes_low", "YetiTeeth_low", "YetiAntlers_low", "YetiBeard_low", "YetiFur_low"]
    cutis("export", result, "--to", "pc2")
    assert {path.name for path in result.glob("*.pc2")} == {"skin.pc2"} | {f"skin-{other}.pc2" for other in others}
    cutis("export", result, "--to", "glb")
    document, binary = read_glb(result / "skin.glb")
    assert [mesh["name"] for mesh in document["meshes"]] == ["cutis", *others], document["meshes"]
    source, source_binary = read_glb(character)
    joints = {source["nodes"][j]["name"] for skin in source["skins"] for j in skin["joints"]}
    assert joints <= {node.get("name") for node in document["nodes"]}
    (shot,) = document["animations"]
    ends = {document["accessors"][sampler["input"]]["max"][0] for sampler in shot["samplers"]}
    assert ends == {np.float32(END)}, ends
    assert {channel["target"]["path"] for channel in shot["channels"]} >= {"weights", "rotation"}

    # Skin without a method is where plain skinning has it: so are all other meshes, and what moves as a whole keeps its shape.
    assert not list(result.glob("skin.glb.part*"))
    cutis("picture", result, "--no-animation", "--frames", "1", "--zoom", "head", "--size", "320x180")
    cutis("picture", result, "--no-animation", "--frames", "1", "--skin-only", "--size", "320x180", "--out", folder / "alone")

    # Teeth keep their shape; fur and beard that lie on the skin stay on it, carried by skin that is displaced by its own flesh.
    (folder / "flesh.toml").write_text((folder / "yeti.toml").read_text() + "[flesh]\nuse = true\nresolution = \"12 cm\"\n")
    cutis("simulate", folder / "flesh.toml", "--out", folder / "flesh")
    cutis("export", folder / "flesh", "--to", "glb")
    document, binary = read_glb(folder / "flesh/skin.glb")
    plain, plain_binary = read_glb(result / "skin.glb")
    for mesh, other in enumerate(["cutis", *others]):
        moved = np.linalg.norm(frame(document, binary, mesh, 2) - frame(plain, plain_binary, mesh, 2), axis=1)
        print(f"{other}: carried by up to {1000 * moved.max():.2f} mm of the skin's flesh")
        assert 0 < moved.max() < 0.5, other
    teeth = others.index("YetiTeeth_low") + 1
    for glb, data in ((document, binary), (plain, plain_binary)):
        rest, later = frame(glb, data, teeth, 0), frame(glb, data, teeth, 2)
        # Two pieces at most: of each jaw.
        change = abs(np.linalg.norm(rest[1:] - rest[:-1], axis=1) - np.linalg.norm(later[1:] - later[:-1], axis=1))
        print(f"teeth: edges change by at most {1000 * np.quantile(change, 0.99):.4f} mm")
