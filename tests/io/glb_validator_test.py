"""The Khronos validator finds no error and no warning in any GLB that the writer makes."""
import json, shutil, subprocess, tempfile
from testkit import BUILD, skip

VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
  const reports = {};
  for (const path of process.argv.slice(1))
    reports[path] = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), {maxIssues: 0});
  console.log(JSON.stringify(reports));
})();
"""


def validator_folder():
    """Where node finds the validator: fetched once, offline from then on."""
    folder = BUILD / "npm"
    if not (folder / "node_modules/gltf-validator").is_dir():
        folder.mkdir(exist_ok=True)
        done = subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "gltf-validator@2.0.0-dev.3.10"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            skip(f"npm cannot fetch gltf-validator: {done.stderr.strip()[-300:]}")
    return folder


for program in ("node", "npm"):
    if not shutil.which(program):
        skip(f"no {program} here")

folder = validator_folder()
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
