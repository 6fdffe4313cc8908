"""Runs inside Blender: blender -b --factory-startup --python blender_play.py -- JOBS.json
Imports each file of the jobs, plays its clips, and saves the world positions of its meshes, Y up again.
A job is {"file", "instances": nodes that carry a mesh, "clips": [[index or null, times]], "out": prefix}."""
import json, sys

import numpy

numpy.bool = bool  # the importer uses a name that newer NumPy has dropped
import bpy


def still_pose():
    """What a clip may move, as the file leaves it: Blender would keep what the clip before has moved."""
    moved = [*bpy.data.objects, *(bone for o in bpy.data.objects if o.pose for bone in o.pose.bones)]
    values = [(m, name, getattr(m, name).copy()) for m in moved for name in ("location", "rotation_quaternion", "scale")]
    return values + [(block, "value", block.value) for key in bpy.data.shape_keys for block in key.key_blocks]


def load(file):
    """Imports a file into an empty scene; returns the importer's own record of what became of each node, and the
    still pose, taken before there is a clip to play."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    from io_scene_gltf2.blender.imp.gltf2_blender_scene import BlenderScene
    record, create_animations = [], BlenderScene.create_animations

    def remember(gltf):
        record.extend([gltf, still_pose()])
        create_animations(gltf)

    BlenderScene.create_animations = staticmethod(remember)
    try:
        bpy.ops.import_scene.gltf(filepath=file)
    finally:
        BlenderScene.create_animations = staticmethod(create_animations)
    for key in bpy.data.shape_keys:  # weights beyond the slider would be clipped
        for block in key.key_blocks:
            block.slider_min, block.slider_max = -10, 10
    return record


def positions(obj):
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    world = numpy.array(evaluated.matrix_world, float)
    points = points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
    return numpy.c_[points[:, 0], points[:, 2], -points[:, 1]]


def play(job):
    from io_scene_gltf2.blender.imp.gltf2_blender_animation import BlenderAnimation
    gltf, still = load(job["file"])
    objects = {v.mesh_node_idx: v.blender_object for v in gltf.vnodes.values() if v.mesh_node_idx is not None}
    scene = bpy.context.scene
    for clip, times in job["clips"]:
        if clip is not None:
            BlenderAnimation.restore_animation(gltf, gltf.data.animations[clip].track_name)
        for owner, name, value in still:
            setattr(owner, name, value)
        frames = []
        for time in times:
            frame = time * scene.render.fps
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            frames.append([positions(objects[i]) for i in job["instances"]])
        for k, instance in enumerate(job["instances"]):
            numpy.save(f"{job['out']}_{instance}_{clip}.npy", numpy.stack([f[k] for f in frames]))


for job in json.load(open(sys.argv[sys.argv.index("--") + 1])):
    play(job)
