"""The Khronos validator finds no error and no warning in any GLB that the writer makes."""
import json, subprocess, tempfile
from testkit import BUILD, npm_folder

VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
  const reports = {};
  for (const path of process.argv.slice(1))
    reports[path] = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), {maxIssues: 0});
  console.log(JSON.stringify(reports));
})();
"""


folder = npm_folder("gltf-validator", "2.0.0-dev.3.10")
with tempfile.TemporaryDirectory() as samples:
    listed = subprocess.run([BUILD / "tests/write_samples", samples], check=True, capture_output=True, text=True).stdout
    names = {line.split()[0]: int(line.split()[1]) for line in listed.splitlines()}
    assert len(names) >= 6, listed
    files = [f"{samples}/{name}.glb" for name in names]
    done = subprocess.run(["node", "-e", VALIDATE, *files], cwd=folder, check=True, capture_output=True, text=True)
    reports = json.loads(done.stdout)

assert list(reports) == files, done.stdout
for (name, frames), report in zip(names.items(), reports.values()):
    issues, info = report["issues"], report["info"]
    for message in issues["messages"]:
        print(name, message["severity"], message["code"], message["pointer"], message["message"])
    assert issues["numErrors"] == 0 and issues["numWarnings"] == 0, f"{name}: {issues}"
    assert info["animationCount"] == (0 if name == "still" else 1), f"{name}: {info}"
    assert info["hasMorphTargets"] == (name != "still"), f"{name}: {info}"
    print(f"{name}: {info['totalVertexCount']} vertices, {info['totalTriangleCount']} triangles, no errors, no warnings")
