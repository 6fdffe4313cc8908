"""wrinkle.layer_meshes: the meshes that layers are computed on, in every frame. They adapt; no triangle passes through another, of its own
layer or of the other one, and none is turned over; a run that is killed and goes on, at another number of threads, has the same numbers."""
import pathlib, re, signal, subprocess, tempfile, time
import numpy as np
from layer_meshes import check_apart, points, read_ply
from testkit import CUTIS, cutis

SHOT = """
[body]
make = "patch"
clip = "compress"
[time]
fps = 8
start = 0.125
end = 0.375
preroll = 0
[skin]
method = "none"
[[skin.region]]
name = "skin"
use = "name"
center = [0, 0, 0]
radius = "16 mm"
[wrinkle]
use = true
region = "skin"
edge = 0.15
load_step = 0.1
output_level = 0
layer_meshes = "FORMAT"
[[wrinkle.layer]]
young = "4 MPa"
thickness = "1.3 mm"
wavelength = "12 mm"
[[wrinkle.layer]]
young = "4 MPa"
thickness = "1 mm"
wavelength = "7 mm"
"""
FRAMES, LAYERS = 3, ("layer1", "layer2")
FIELDS = {"height", "slope", "tensile_strain", "compressive_strain", "wavelength", "thickness", "young", "constraint", "support"}


def read_vtu(path):
    """The same of a .vtu; what has three components is taken apart."""
    raw = path.read_bytes()
    begin = raw.index(b"_", raw.index(b"<AppendedData")) + 1
    found = {}
    for kind, name, components, offset in re.findall(
            rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"', raw[:begin]):
        at = begin + int(offset)
        size = int(np.frombuffer(raw, "<u8", 1, at)[0])
        dtype = {b"Float64": "<f8", b"Int32": "<i4", b"UInt8": "u1"}[kind]
        found[name.decode()] = np.frombuffer(raw[at + 8:at + 8 + size], dtype).reshape(-1, int(components))
    assert (found.pop("types") == 5).all()
    triangles = found.pop("connectivity").reshape(-1, 3)
    assert (found.pop("offsets").ravel() == 3 * np.arange(1, len(triangles) + 1)).all()
    table = {}
    for name, values in found.items():
        if values.shape[1] == 1:
            table[name] = values[:, 0]
        else:
            table.update({("" if name == "Points" else name + "_") + axis: values[:, k] for k, axis in enumerate("xyz")})
    return table, triangles


def frames(result, ending, read):
    return [[read(result / f"layers/{layer}_{frame:06}{ending}") for layer in LAYERS] for frame in range(1, FRAMES + 1)]


def check_frame(layers):
    for table, triangles in layers:
        assert set(table) == FIELDS | {"x", "y", "z", "rest_x", "rest_y", "rest_z"}, sorted(table)
        assert all(np.isfinite(values).all() for values in table.values())
        now, rest = points(table), points(table, "rest_")
        assert triangles.min() == 0 and triangles.max() == len(now) - 1
        for shape in (now, rest):
            corners = shape[triangles]
            # The patch lies in the plane of x and z, seen from above.
            areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            assert np.linalg.norm(areas, axis=1).min() > 0
        assert areas[:, 1].min() > 0
    check_apart(layers)


def check_fields(first, last):
    for (table, _), wavelength, thickness in zip(last, (0.012, 0.007), (1.3e-3, 1e-3)):
        assert np.allclose(table["wavelength"], wavelength) and np.allclose(table["thickness"], thickness) and np.allclose(table["young"], 4e6)
        assert np.ptp(table["constraint"]) == len(np.unique(table["constraint"])) - 1 > 3
        assert table["support"].min() >= 0 and 0.8 < table["support"].max() <= 1
        assert table["compressive_strain"].max() > 0.02 and table["tensile_strain"].min() >= 0
        assert 0.05 < table["slope"].max() < np.pi / 2
        inside = np.linalg.norm(points(table, "rest_")[:, [0, 2]], axis=1) < 0.012
        assert abs(table["height"][inside]).max() > 0.1e-3
    # The lower layer lies on the flat body: its height is what its place tells.
    lower = last[0][0]
    assert np.allclose(lower["height"], lower["y"] + 1e-3, atol=1e-9)
    assert all(len(now[0]["x"]) != len(before[0]["x"]) for now, before in zip(last, first)), "meshes do not adapt"


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for kind in "ply", "vtk", "none":
        (folder / f"{kind}.toml").write_text(SHOT.replace("FORMAT", kind))
    cutis("--threads", 1, "simulate", "ply.toml", cwd=folder)
    whole = frames(folder / "ply-result", ".ply", read_ply)
    assert len(list((folder / "ply-result/layers").iterdir())) == FRAMES * len(LAYERS)
    for layers in whole:
        check_frame(layers)
    check_fields(whole[0], whole[-1])

    # In the other format, killed in between.
    result = folder / "vtk-result"
    process = subprocess.Popen([CUTIS, "simulate", "vtk.toml"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (result / "frames/000001.npz").exists():
        assert process.poll() is None, "ended before it could be killed"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (result / "layers/layer1_000003.vtu").exists()
    cutis("--threads", 2, "simulate", "vtk.toml", "--resume", cwd=folder)
    for one, other in zip(whole, frames(result, ".vtu", read_vtu)):
        for (table, triangles), (again, others) in zip(one, other):
            assert np.array_equal(triangles, others) and set(table) == set(again)
            assert all(np.array_equal(values, again[key]) for key, values in table.items())
    for layer in LAYERS:
        listed = re.findall(r'timestep="([\d.]+)" part="0" file="([\w.]+)"', (result / f"layers/{layer}.pvd").read_text())
        assert listed == [(f"{0.125 + 0.125 * i:g}", f"{layer}_{i + 1:06}.vtu") for i in range(FRAMES)], listed

    # Drawn as they are, and at rest; only .ply files are.
    drawn = cutis("picture", "ply-result", "--layer", 1, "--frames", "1-2", "--size", "160x120", cwd=folder).stdout.split()
    drawn += cutis("picture", "ply-result", "--layer", 2, "--field", "strain", "--material-space", "--size", "160x120", cwd=folder).stdout.split()
    names = "layer1_support_000001.png", "layer1_support_000002.png", "layer2_strain_material_space_000003.png"
    assert drawn == [f"ply-result/pictures/{name}" for name in names], drawn
    assert len({(folder / file).read_bytes() for file in drawn}) == 3
    said = cutis("picture", "vtk-result", "--layer", 1, cwd=folder, expect=2).stderr
    assert "vtk-result/layers/layer1_000003.ply: there is none" in said and 'wrinkle.layer_meshes = "ply"' in said, said
    said = cutis("picture", "ply-result", "--layer", 1, "--field", "slide", cwd=folder, expect=2).stderr
    assert 'picture.field: "slide": the mesh of the layer has no such field; there are: strain' in said and "wavelength" in said, said

    # Those of an older run do not stay.
    cutis("simulate", "none.toml", "-o", "ply-result", cwd=folder)
    assert not (folder / "ply-result/layers").exists()
print("layers are written as they are computed, and none passes through itself or the other")
