"""The Khronos validator finds no error and no warning in any GLB that the writers make."""
import json, subprocess, tempfile
import numpy
from testkit import BUILD, cutis, npm_folder

VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
  const reports = {};
  for (const path of process.argv.slice(1))
    reports[path] = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), {maxIssues: 0});
  console.log(JSON.stringify(reports));
})();
"""


def targets_of(path):
    data = open(path, "rb").read()
    document = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
    return document["meshes"][0]["primitives"][0].get("targets", [])


folder = npm_folder("gltf-validator", "2.0.0-dev.3.10")
with tempfile.TemporaryDirectory() as samples:
    listed = subprocess.run([BUILD / "tests/write_samples", samples], check=True, capture_output=True, text=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    assert len(names) >= 6, listed
    files = [f"{samples}/{name}.glb" for name in names]
    characters = {name: f"{samples}/{name}.glb" for name in ("arm", "hand", "male")}
    for name, file in characters.items():
        cutis("make", name, "--out", file)
    files += characters.values()
    done = subprocess.run(["node", "-e", VALIDATE, *files], cwd=folder, check=True, capture_output=True, text=True)
    reports = json.loads(done.stdout)
    moving_uvs = {name for name in names if "uvs" in numpy.load(f"{samples}/{name}.fields.npz")}
    targets = {name: targets_of(f"{samples}/{name}.glb") for name in names}

assert list(reports) == files, done.stdout
for name, report in zip([*names, *characters], reports.values()):
    issues, info = report["issues"], report["info"]
    for message in issues["messages"]:
        print(name, message["severity"], message["code"], message["pointer"], message["message"])
    assert issues["numErrors"] == 0 and issues["numWarnings"] == 0, f"{name}: {issues}"
    print(f"{name}: {info['totalVertexCount']} vertices, {info['totalTriangleCount']} triangles, no errors, no warnings")
    if name in characters:
        assert info["hasSkins"] and info["animationCount"] >= 1, f"{name}: {info}"
        continue
    assert info["animationCount"] == (0 if name == "still" else 1), f"{name}: {info}"
    assert info["hasMorphTargets"] == (name != "still"), f"{name}: {info}"
    moved = {"POSITION", "NORMAL"} | ({"TEXCOORD_0"} if name in moving_uvs else set())
    assert all(set(target) == moved for target in targets[name]), f"{name}: {targets[name]}"
assert len(moving_uvs) >= 4, moving_uvs
