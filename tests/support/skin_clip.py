"""A clip of a body with default skin, and what it must keep to: shared by the tests of mannequins and of a real human."""
import subprocess
from testkit import BUILD, cutis

LOOSE = 'against = "body", where = "slide_limit", above = 0.005'
OVER_LIMIT = 'over = "slide_limit"'


def figures(roughness, jump, geodesic):
    """By measure, settings and the most that is allowed; `jump` of 99.9 % of the vertices [m], `geodesic` slide over its limit of 99 %."""
    return [("residual", "", 1e-6), ("tensile_strain", LOOSE, 0.72), ("tensile_roughness", LOOSE, roughness),
            ("compressive_strain", LOOSE, None), ("barrier_share", "", 0.005),
            ("field_percentile", f'field = "slide_chord", {OVER_LIMIT}, share = 0.999', 1.1),
            ("field_percentile", f'field = "slide_chord", {OVER_LIMIT}, share = 1', 1.25),
            ("field_percentile", f'field = "slide", {OVER_LIMIT}, share = 0.99', geodesic),
            ("field_percentile", f'field = "slide", {OVER_LIMIT}, share = 1', 2),
            ("field_percentile", 'field = "jump", share = 0.999', jump), ("field_max", 'field = "jump"', 0.15 / 24)]


def figure(measure, settings, most):
    bound = "" if most is None else f"at_most = {most}"
    return f'''
[[figure]]
name = "{measure} {settings.replace(chr(34), "")}"
measure = "{measure}"
with = {{ {settings} }}
{bound}
'''


def simulate(folder, name, body, start, end, asked, fps=24, preroll="1 s"):
    """Runs the clip into folder/name; fails where a figure does not hold."""
    (folder / f"{name}.toml").write_text(f"""
[body]
{body}
[time]
start = {start}
end = {end}
fps = {fps}
preroll = "{preroll}"
[skin]
method = "lagrangian"
[skin.direction]
langer = "male"
prestretch = 0.95
[output]
storage = "map"
fields = ["body", "slide", "slide_limit", "slide_chord", "jump"]
""" + "".join(figure(*line) for line in asked))
    print(cutis("simulate", f"{name}.toml", "--out", name, cwd=folder).stdout)
    return folder / name


def inverted(result):
    """The frame and the place at rest of each triangle of the skin that is turned over."""
    said = subprocess.run([BUILD / "tests/count_inverted", result], text=True, capture_output=True, check=True).stdout
    rows = [line.split() for line in said.splitlines()]
    return [(int(frame), tuple(map(float, place))) for frame, *place in rows]
