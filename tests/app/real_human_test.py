"""A real human squats, with no setting but the method: the automatic slide limits, Langer lines and material.
Every frame converges, and its skin is less and more evenly strained than plain skinning."""
import pathlib, tempfile
import testkit

human = testkit.data_folder() / "makehuman-young-male/makehuman_young_male_cmu.glb"
shot = f"""
[body]
file = "{human}"
clip = "cmu_13_29_bend_squats"
[time]
start = 3.3
end = {3.3 + 5 / 24}
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
    shot += f"""
[[figure]]
name = "{measure} against plain skinning"
measure = "{measure}"
with = {{ against = "body", where = "slide_limit", above = 0.005 }}
at_most = {most}
"""
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "human.toml").write_text(shot)
    said = testkit.cutis("simulate", "human.toml", "--out", "result", cwd=folder)
    print(said.stdout)
