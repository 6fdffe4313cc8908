"""A real human moves, with no setting but the method: the automatic slide limits, Langer lines and material.
Every frame converges, and its skin is less and more evenly strained than plain skinning: in the middle of a squat and of a
bend; with --long in both clips from end to end."""
import pathlib, tempfile
import testkit

human = testkit.data_folder() / "makehuman-young-male/makehuman_young_male_cmu.glb"
parts = {"cmu_13_29_bend_squats": (3.3, 3.5), "cmu_02_06_bend_scoop": (4.5, 4.7)}
if testkit.LONG:
    parts = {"cmu_13_29_bend_squats": (0, 14), "cmu_02_06_bend_scoop": (0, 8)}


def shot(clip, start, end):
    text = f"""
[body]
file = "{human}"
clip = "{clip}"
[time]
start = {start}
end = {end}
[skin]
method = "lagrangian"
[skin.direction]
langer = "male"
prestretch = 0.95
[output]
fields = ["body", "slide_limit"]
[[figure]]
name = "residual"
measure = "residual"
at_most = 1e-6
"""
    for measure, most in {"log_stretch_p99": 1 / 1.3, "strain_roughness": 0.5}.items():
        text += f"""
[[figure]]
name = "{measure} against plain skinning"
measure = "{measure}"
with = {{ against = "body", where = "slide_limit", above = 0.005 }}
at_most = {most}
"""
    return text


with tempfile.TemporaryDirectory() as folder:
    for clip, (start, end) in parts.items():
        (pathlib.Path(folder) / "human.toml").write_text(shot(clip, start, end))
        said = testkit.cutis("simulate", "human.toml", "--out", clip, cwd=folder)
        print(said.stdout)
