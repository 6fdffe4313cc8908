"""PC2 and MDD caches of glTF characters play in Blender as the characters themselves do, once the Mesh Cache modifier is set as
`cutis export` says: on one whose armature is turned and whose clip begins late (CesiumMan), and on a plain one (the fox)."""
import os, re, shutil, subprocess, sys, tempfile

SAID = re.compile(r"Forward (-?[XYZ]), Up (-?[XYZ]) and Start Frame ([\d.]+); clear the object's parent and transform")


def largest_difference(character, cache, forward, up, start):
    """Inside Blender: the largest distance between the armature's vertices and the cache's, over the size of the mesh."""
    import numpy
    numpy.bool = bool  # Blender 3.4's importer asks numpy for it
    import bpy, mathutils
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24
    bpy.ops.import_scene.gltf(filepath=character)
    thing = max((o for o in bpy.data.objects if o.type == "MESH"), key=lambda o: len(o.data.vertices))

    def world(frame):
        bpy.context.scene.frame_set(frame)
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
        mesh.vertices.foreach_get("co", points)
        matrix = numpy.array(evaluated.matrix_world)
        return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]

    frames = (2, 7, 13)
    own = [world(frame) for frame in frames]
    thing.parent = None
    thing.matrix_world = mathutils.Matrix.Identity(4)
    modifier = thing.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = cache[-3:].upper()
    modifier.filepath = cache
    modifier.forward_axis, modifier.up_axis = (("NEG_" if a[0] == "-" else "POS_") + a[-1] for a in (forward, up))
    modifier.frame_start = float(start)
    size = numpy.linalg.norm(numpy.ptp(own[0], axis=0))
    return max(abs(world(frame) - points).max() for frame, points in zip(frames, own)) / size


if "--" in sys.argv:
    print("difference", largest_difference(*sys.argv[sys.argv.index("--") + 1:]))
    sys.exit(0)

from testkit import cutis, data_folder, skip

data = data_folder()
if not shutil.which("blender"):
    skip("no Blender here")
with tempfile.TemporaryDirectory() as folder:
    for character in (data / "khronos-cesium-man/CesiumMan.glb", data / "khronos-fox/Fox.glb"):
        shot, result = f"{folder}/shot.toml", f"{folder}/{character.stem}"
        with open(shot, "w") as out:
            out.write(f'[body]\nfile = "{character}"\n[time]\nend = "0.8 s"\n[skin]\nmethod = "none"\n')
        cutis("simulate", shot, "-o", result)
        for ending in ("pc2", "mdd"):
            cache = f"{folder}/new/{character.stem}.{ending}"
            said = SAID.search(cutis("export", result, "--to", ending, "--out", cache).stderr)
            assert said, "export does not say how Blender plays the cache"
            done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "3", "--python",
                                   os.path.abspath(__file__), "--", character, cache, *said.groups()],
                                  capture_output=True, text=True)
            found = re.search(r"^difference (\S+)", done.stdout, re.M)
            assert done.returncode == 0 and found, done.stdout[-3000:] + done.stderr[-3000:]
            print(f"{character.stem}.{ending}: off by {found[1]} of the size")
            assert float(found[1]) < 1e-5, found[1]
    cutis("simulate", shot, "-o", f"{folder}/shot.toml/r", expect=3)
    said = cutis("export", result, "--to", "glb", "--out", f"{folder}/shot.toml/x.glb", expect=3).stderr
    assert "Not a directory" in said and "--out" in said and said.count("\n") == 1, said
