"""TinyUSDZ reads what the USD writer wrote without a message of its own, and gives back the same mesh and the same
32-bit numbers at every time: points, normals, texture coordinates, fields."""
import json, pathlib, re, subprocess, tempfile
import numpy
from testkit import BUILD, npm_folder

# The package is built for browsers: node passes for one. Its text of the layer holds what it understood.
READ = """
process.type = 'renderer'; globalThis.window = globalThis;
const fs = require('fs');
(async () => {
  const {default: start} = await import(process.cwd() + '/node_modules/tinyusdz/tinyusdz.js');
  const said = [];
  const note = text => said.push(text);
  const usd = await start({wasmBinary: fs.readFileSync('node_modules/tinyusdz/tinyusdz.wasm'), print: note, printErr: note});
  for (const path of process.argv.slice(1)) {
    const bytes = new Uint8Array(fs.readFileSync(path));
    const layer = new usd.TinyUSDZLoaderNative(), scene = new usd.TinyUSDZLoaderNative();
    const good = layer.loadAsLayerFromBinary(bytes, path) && scene.loadFromBinary(bytes, path);
    const mesh = good ? scene.getMesh(0) : null;
    fs.writeFileSync(path + '.json', JSON.stringify({good, error: layer.error() + scene.error(), said, meshes: scene.numMeshes(),
      layer: good ? layer.layerToString() : '', points: mesh ? Array.from(mesh.points) : []}));
  }
})();
"""


def numbers(text):
    return numpy.array(re.findall(r"[-+0-9.e]+|nan|inf", text), numpy.float32)


def samples_of(layer, attribute):
    """{time code: numbers} of an attribute in TinyUSDZ's own words."""
    body = re.search(re.escape(attribute) + r"\.timeSamples = \{\n(.*?)\n    \}", layer, re.S).group(1)
    return {float(time): numbers(values) for time, values in re.findall(r"([-0-9.e]+): \[(.*?)\],?\n?(?=\s|$)", body, re.S)}


def value_of(layer, attribute):
    return numbers(re.search(re.escape(attribute) + r" = \[(.*?)\]", layer, re.S).group(1))


def interpolation_of(layer, attribute):
    return re.search(re.escape(attribute) + r"[^\n]* \(\n[^)]*interpolation = \"(\w+)\"", layer).group(1)


def check_fields(name, layer, fields, frames):
    for field, values in fields.items():
        attribute = "primvars:st" if field == "uvs" else f"primvars:{field}"
        found = samples_of(layer, attribute)
        assert list(found) == list(range(frames)), f"{name}: {field}: {list(found)}"
        for i in range(frames):
            assert numpy.array_equal(found[i], values[i].astype(numpy.float32).ravel()), f"{name}: {field} of frame {i}"
        expected = {"uvs": "faceVarying", "face_patch": "uniform"}.get(field, "vertex")
        assert interpolation_of(layer, attribute) == expected, f"{name}: {field}"


def check(folder, name, frames, vertices):
    given = numpy.fromfile(folder / f"{name}.f64").reshape(frames, vertices, 3)
    report = json.loads((folder / f"{name}.usda.json").read_text())
    assert report["good"] and report["error"] == "" and report["said"] == [] and report["meshes"] == 1, report
    layer = report["layer"]
    points = samples_of(layer, "points")
    assert list(points) == list(range(frames)), f"{name}: {list(points)}"
    for i in range(frames):
        assert numpy.array_equal(points[i], given[i].astype(numpy.float32).ravel()), f"{name}: points of frame {i}"
    if len(report["points"]) == 3 * vertices:  # vertices with two texture coordinates are split for drawing
        assert numpy.array_equal(numpy.array(report["points"], numpy.float32), points[0]), f"{name}: points as drawn"
    lengths = numpy.linalg.norm(samples_of(layer, "normals")[0].reshape(-1, 3), axis=1)
    assert numpy.all((abs(lengths - 1) < 1e-6) | (lengths == 0)) and numpy.any(lengths > 0), f"{name}: normals"
    faces = [[int(c.split("/")[0]) - 1 for c in line.split()[1:]] for line in (folder / f"{name}.obj").read_text().splitlines() if line[:2] == "f "]
    assert numpy.array_equal(value_of(layer, "faceVertexCounts"), [len(face) for face in faces]), f"{name}: counts"
    assert numpy.array_equal(value_of(layer, "faceVertexIndices"), numpy.concatenate(faces)), f"{name}: indices"
    assert "metersPerUnit = 1\n" in layer and 'upAxis = "Y"' in layer and "timeCodesPerSecond = 24\n" in layer, layer[:400]
    fields = dict(numpy.load(folder / f"{name}.fields.npz"))
    check_fields(name, layer, fields, frames)
    if name == "still":  # texture coordinates that do not move: pairs, and an index a corner
        pairs = value_of(layer, "primvars:st").reshape(-1, 2)
        assert len(value_of(layer, "primvars:st:indices")) == len(numpy.concatenate(faces)) and len(pairs) == 13 * 9, len(pairs)
    print(f"{name}: {frames} frames, {vertices} vertices, {len(fields)} fields: equal")


npm = npm_folder("tinyusdz", "0.9.0-rc10")
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    listed = subprocess.run([BUILD / "tests/write_samples", folder], check=True, capture_output=True, text=True).stdout
    samples = [line.split() for line in listed.splitlines()]
    assert len(samples) >= 6, listed
    done = subprocess.run(["node", "-e", READ, *(str(folder / f"{name}.usda") for name, *_ in samples)], cwd=npm, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1500:]
    for name, frames, vertices in samples:
        check(folder, name, int(frames), int(vertices))
