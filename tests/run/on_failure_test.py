"""A frame that does not converge is written with its residual and named, and the run goes on; with
solver.on_failure = "stop" it ends there. A resumed run gives the same bits and names the same frames."""
import json, pathlib, signal, subprocess, tempfile, time
import numpy as np
import testkit
from testkit import cutis

folder = pathlib.Path(tempfile.mkdtemp(prefix="cutis-on-failure-"))
SHOT = """
[body]
make = "arm"
clip = "bend"
resolution = "25 mm"
[time]
fps = "6 fps"
end = "1.2 s"
[skin]
method = "lagrangian"
drag = 0
slide_speed = 0
[solver]
max_iterations = 1
tolerance = 1e-12
{}
[[figure]]
name = "residual"
measure = "residual"
"""
(folder / "shot.toml").write_text(SHOT.format(""))
(folder / "stop.toml").write_text(SHOT.format('on_failure = "stop"'))


def summary(result):
    return json.loads((folder / result / "summary.json").read_text())


def frame_bytes(result):
    return {p.name: p.read_bytes() for p in sorted((folder / result / "frames").iterdir())}


said = cutis("simulate", "shot.toml", "--out", "whole", cwd=folder)
whole = summary("whole")
failed = whole["unconverged"]
assert whole["complete"] and whole["frames_written"] == whole["frames"] == len(frame_bytes("whole"))
assert 3 <= len(failed) < whole["frames"], f"{len(failed)} of {whole['frames']} frames did not converge"
for entry in failed:
    frame = np.load(folder / "whole/frames" / f"{entry['frame']:06}.npz")
    assert frame["residual"] == entry["residual"] > 1e-12, entry
    assert "iterations" in entry["reason"], entry
assert whole["figures"][0]["value"] == max(entry["residual"] for entry in failed)
last = said.stdout.splitlines()[-1]
assert f"{len(failed)} of {whole['frames']} frames did not converge" in last, last
assert "solver.max_iterations" in whole["warning"] and whole["warning"] in said.stderr, said.stderr
assert whole["warning"] in cutis("info", "whole", cwd=folder).stdout

said = cutis("simulate", "stop.toml", "--out", "stopped", cwd=folder, expect=3)
first = failed[0]["frame"]
assert f"frame {first} " in said.stderr and "did not converge" in said.stderr, said.stderr
stopped = summary("stopped")
assert stopped["frames_written"] == first - 1 and not stopped["complete"] and stopped["unconverged"] == []

# Stopped after the first frame that failed, by a kill, which leaves no time to write a summary.
process = subprocess.Popen([testkit.CUTIS, "simulate", "shot.toml", "--out", "part"], cwd=folder,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while process.poll() is None and not (folder / "part/frames" / f"{first:06}.npz").exists():
    time.sleep(0.005)
process.send_signal(signal.SIGKILL)
process.wait()
killed = len(frame_bytes("part"))
assert first <= killed < whole["frames"], f"killed after {killed} frames"
cutis("simulate", "shot.toml", "--out", "part", "--resume", cwd=folder)
assert frame_bytes("part") == frame_bytes("whole")
assert summary("part")["unconverged"] == failed
print(f"{len(failed)} of {whole['frames']} frames did not converge, the first is {first}; killed after {killed}")
