"""What a new user gets told: units in words that a shot accepts, odd sizes, frames beyond the clip, names that are nearly right,
weights that had to be repaired, and only of meshes that are simulated."""
import json, pathlib, re, struct, tempfile
from testkit import cutis, data_folder, edited_glb

data = data_folder()
fox = data / "khronos-fox/Fox.glb"


def break_joints(document, binary):
    """The first 50 vertices hang on joint 200 alone."""
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    for name, values in (("JOINTS_0", (200, 0, 0, 0)), ("WEIGHTS_0", (1, 0, 0, 0))):
        accessor = document["accessors"][attributes[name]]
        view = document["bufferViews"][accessor["bufferView"]]
        kind = {5121: "4B", 5123: "4H", 5126: "4f"}[accessor["componentType"]]
        step = view.get("byteStride") or struct.calcsize(kind)
        for i in range(50):
            struct.pack_into("<" + kind, binary, view.get("byteOffset", 0) + accessor.get("byteOffset", 0) + i * step, *values)


def two_meshes(document, binary):
    """The same with an unharmed copy of the mesh, which is called Good."""
    document["meshes"].append(json.loads(json.dumps(document["meshes"][0])))
    document["meshes"][1]["name"] = "Good"
    joints = document["meshes"][1]["primitives"][0]["attributes"]["JOINTS_0"]
    accessor = dict(document["accessors"][joints])
    view = dict(document["bufferViews"][accessor["bufferView"]])
    start, size = view.get("byteOffset", 0), view["byteLength"]
    view["byteOffset"] = len(binary)
    binary += binary[start:start + size]
    document["bufferViews"].append(view)
    accessor["bufferView"] = len(document["bufferViews"]) - 1
    document["accessors"].append(accessor)
    document["meshes"][1]["primitives"][0]["attributes"]["JOINTS_0"] = len(document["accessors"]) - 1
    document["buffers"][0]["byteLength"] = len(binary)
    bearer = next(n for n in document["nodes"] if "mesh" in n)
    document["nodes"].append({"mesh": 1, "skin": bearer["skin"], "name": "good"})
    document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    break_joints(document, binary)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    def run(text, expect=0):
        (folder / "s.toml").write_text(text)
        return cutis("simulate", "s.toml", "--out", "r", cwd=folder, expect=expect).stderr

    said = cutis("info", fox).stdout
    scale = re.search(r'set body.scale = ("[^"]+")', said)
    assert scale, said
    of_fox = f'[body]\nfile = "{fox}"\n'
    assert "warn" not in run(of_fox + f"scale = {scale[1]}\n[time]\nend = 0.1\n"), "a scale that info suggests is odd"
    for odd, place in (('scale = "1 m"\n', "s.toml:3"), ('scale = "0.1 mm"\n', "s.toml:3"), ("", "s.toml")):
        said = run(of_fox + odd + "[time]\nend = 0.1\n")
        assert f"{place}: body.scale: the body is" in said, said

    shot = of_fox + f"scale = {scale[1]}\n"
    assert re.search(r's\.toml:4: body\.clip: .*no clip "WALK"; did you mean "Walk"\?', run(shot + 'clip = "WALK"\n', 2))
    assert re.search(r's\.toml:4: body\.mesh: .*no mesh "foxx"; did you mean "fox\d?"\?', run(shot + 'mesh = "foxx"\n', 2))
    assert re.search(r's\.toml:4: body\.rest: .*no clip "Wolk"; did you mean "Walk"\?', run(shot + 'rest = "Wolk@0s"\n', 2))
    said = run(shot + "[time]\nfps = 4\nstart = 3\nend = 5\n")
    assert re.search(r"s\.toml:7: time\.end: \d+ of 9 frames lie beyond the clip, which goes from 0 s to 3\.\d+ s", said), said
    assert "beyond the clip" not in run(shot + "[time]\nfps = 4\n")

    edited_glb(fox, folder / "broken.glb", break_joints)
    wrong = "50 of 1728 vertices hang on joints that its skin does not have (up to joint 200 of"
    assert wrong in cutis("info", folder / "broken.glb").stdout
    broken = f'[body]\nfile = "broken.glb"\nscale = {scale[1]}\n[time]\nend = 0.1\n'
    assert wrong in run(broken)
    edited_glb(fox, folder / "both.glb", two_meshes)
    said = cutis("info", folder / "both.glb").stdout
    assert said.count(wrong) == 1 and 'mesh "Good"' in said, said
    both = broken.replace("broken.glb", "both.glb")
    assert "joints that its skin" not in run(both.replace("scale", 'mesh = "Good"\nscale')), "of a mesh that is not simulated"
    assert wrong in run(both.replace("scale", 'mesh = "fox1"\nscale'))
