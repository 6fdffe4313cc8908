"""Three layers on compressed skin converge, each with wrinkles of its own. They are solved from the bottom up: a lower layer is the same,
but for how deep it lies, whatever is above it. With wrinkle.coupling = "both" it bears what the upper one asks of it. In either case no
layer passes through itself or another one, in any frame."""
import pathlib, tempfile
import numpy as np
from layer_meshes import check_all_apart, read_ply
from wrinkled import simulate

SHOT = """
[body]
make = "patch"
clip = "compress"
[time]
fps = 8
end = {end}
[skin]
method = "none"
[[skin.region]]
name = "skin"
use = "name"
center = [0, 0, 0]
radius = "14 mm"
[wrinkle]
use = true
region = "skin"
surface = "polygon"  # so that the region's outline does not depend on the smallest wavelength
law = "layer"
adaptive = false
edge = 0.2
output_level = 2
layer_meshes = "ply"
coupling = "{coupling}"
"""
LAYERS = [("4 MPa", 1.3e-3), ("20 MPa", 0.6e-3), ("60 MPa", 0.4e-3)]


def run(folder, name, count, coupling="bottom-up", end=0.375):
    """The meshes of the layers in the last frame, the lowest first."""
    layers = "".join(f'[[wrinkle.layer]]\nyoung = "{young}"\nthickness = {thickness}\n' for young, thickness in LAYERS[:count])
    result, summary = simulate(folder, name, SHOT.format(coupling=coupling, end=end) + layers)
    assert check_all_apart(result) == count * summary["frames"] == count * (8 * end + 1)
    return [read_ply(sorted((result / "layers").glob(f"layer{k + 1}_*.ply"))[-1]) for k in range(count)]


def height(mesh):
    """Root mean square in the middle [m]."""
    table, _ = mesh
    return table["height"][np.hypot(table["rest_x"], table["rest_z"]) < 0.007].std()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    stacks = [run(folder, f"s{count}", count) for count in (1, 2, 3)]
    for stack in stacks[:2]:
        deeper = sum(thickness for _, thickness in LAYERS[len(stack):])
        for (table, triangles), (below, others) in zip(stack, stacks[2]):
            assert np.array_equal(triangles, others)
            for key in ("x", "z", "height", "rest_x", "rest_z"):
                assert np.allclose(table[key], below[key], rtol=0, atol=1e-12), key
            assert np.allclose(table["y"] - deeper, below["y"], rtol=0, atol=1e-12)
    heights = [height(mesh) for mesh in stacks[2]]
    print("heights [mm]:", np.round(1e3 * np.array(heights), 4).tolist())
    assert min(heights) > 0.02e-3 and heights[0] > 4 * max(heights[1:]), heights

    # Together, pressed together further.
    apart, both = run(folder, "apart", 2, end=0.5), run(folder, "both", 2, "both", end=0.5)
    for k, (one, other) in enumerate(zip(apart, both)):
        assert np.array_equal(one[1], other[1])
        differ = np.abs(one[0]["height"] - other[0]["height"]).max()
        print(f"layer {k + 1}: {differ:.3g} m of height between the two couplings, {height(other):.3g} m high")
        assert differ > 0.1e-3 and height(other) > 0.02e-3, (differ, height(other))
print("layers are solved in their order, and keep apart")
