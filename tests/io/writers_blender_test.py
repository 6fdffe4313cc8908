"""Blender plays what the writers wrote: PC2 and MDD through its Mesh Cache modifier on the written OBJ, GLB and
the files of an OBJ sequence through its importers. Every frame's vertices equal the given ones to 1e-6 of the size."""
import os, shutil, subprocess, sys, tempfile


def read_back(folder):
    """Inside Blender: each sample in each format, the evaluated vertices of each frame as raw float64 beside it."""
    import numpy
    numpy.bool = bool  # Blender 3.4's importer asks numpy for it
    import bpy

    def vertices(thing, frame):
        bpy.context.scene.frame_set(frame)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
        mesh.vertices.foreach_get("co", points)
        return points.reshape(-1, 3).astype(float)

    def imported(path):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = 24
        if path.endswith(".obj"):
            bpy.ops.wm.obj_import(filepath=path)
        else:
            bpy.ops.import_scene.gltf(filepath=path)
        return next(thing for thing in bpy.data.objects if thing.type == "MESH")

    for line in open(f"{folder}/samples.txt"):
        name, frames, _ = line.split()
        for ending in ("pc2", "mdd"):
            thing = imported(f"{folder}/{name}.obj")
            cache = thing.modifiers.new("cache", "MESH_CACHE")
            cache.cache_format = ending.upper()
            cache.filepath = f"{folder}/{name}.{ending}"
            cache.frame_start = 0
            numpy.array([vertices(thing, i) for i in range(int(frames))]).tofile(f"{folder}/{name}.{ending}.f64")
        files = [f"{folder}/{name}.objs/skin_{i + 1:06}.obj" for i in range(int(frames))]
        numpy.array([vertices(imported(file), 0) for file in files]).tofile(f"{folder}/{name}.objs.f64")
        thing = imported(f"{folder}/{name}.glb")
        played = numpy.array([vertices(thing, i) for i in range(int(frames))])
        # The importer turns y up into z up: (x, y, z) arrives as (x, -z, y).
        numpy.stack([played[..., 0], played[..., 2], -played[..., 1]], -1).tofile(f"{folder}/{name}.glb.f64")


def copies_in_glb(folder, name, vertices):
    """Where texture coordinates move, each corner is a vertex; the tube's seam, nine vertices long, has two of them a vertex."""
    uvs = numpy.load(f"{folder}/{name}.fields.npz").get("uvs")
    if uvs is not None:
        return uvs.shape[1] - vertices
    return 9 if name in ("tube_plain", "still") else 0


def check(folder, name, frames, vertices):
    given = numpy.fromfile(f"{folder}/{name}.f64").reshape(frames, vertices, 3)
    size = numpy.linalg.norm(numpy.ptp(given[0], axis=0))
    for ending in ("pc2", "mdd", "glb", "objs"):
        played = numpy.fromfile(f"{folder}/{name}.{ending}.f64").reshape(frames, -1, 3)
        extra = played.shape[1] - vertices
        assert extra >= 0, f"{name}.{ending}: {played.shape[1]} vertices of {vertices}"
        error = abs(played[:, :vertices] - given).max() / size
        motion = abs(given - given[0]).max() / size
        print(f"{name}.{ending}: off by {error:.1e} of the size, in a motion of {motion:.2f}; {extra} copies of vertices")
        assert error <= 1e-6, f"{name}.{ending}: off by {error:.1e} of the size"
        assert extra == (copies_in_glb(folder, name, vertices) if ending == "glb" else 0), extra


if "--" in sys.argv:
    read_back(sys.argv[-1])
    sys.exit(0)

import numpy
from testkit import BUILD, skip

if not shutil.which("blender"):
    skip("no Blender here")
with tempfile.TemporaryDirectory() as folder:
    listed = subprocess.run([BUILD / "tests/write_samples", folder], check=True, capture_output=True, text=True).stdout
    with open(f"{folder}/samples.txt", "w") as out:
        out.write(listed)
    done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "3", "--python", os.path.abspath(__file__),
                           "--", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    samples = [line.split() for line in listed.splitlines()]
    assert len(samples) >= 6, listed
    for name, frames, vertices in samples:
        if name != "defects":  # Blender's importers drop its vertex without a face
            check(folder, name, int(frames), int(vertices))
