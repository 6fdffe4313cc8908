"""What a run says: signals are heard in the midst of every stage, a still body and odd values are named, repeated warnings and
unknown words get the usual words, the summary knows all stages."""
import json, os, pathlib, signal, subprocess, tempfile, time
import testkit
from testkit import cutis, data_folder, edited_glb, run_tests

folder = pathlib.Path(tempfile.mkdtemp(prefix="cutis-says-"))
# On a busy machine a second is long; in the midst of a frame of minutes it is not.
PATIENCE = 8

LAYERS = '[wrinkle]\nuse = true\nlayer = [{ young = "4 MPa", thickness = "8 mm" }]\n'
STAGES = {  # each is busy for many seconds in setting up or in its first frame
    "lagrangian": '[body]\nmake = "male"\nresolution = "7 mm"\n[skin]\nmethod = "lagrangian"\n',
    "eulerian": '[body]\nmake = "male"\nresolution = "7 mm"\n[skin]\nmethod = "eulerian"\n',
    "tracked": '[body]\nmake = "male"\nresolution = "7 mm"\n[skin]\nmethod = "tracked"\n',
    "flesh": '[body]\nmake = "male"\n[flesh]\nuse = true\ntetrahedra = 300000\n',
    "wrinkles": '[body]\nmake = "arm"\n' + LAYERS,
}


def latency(text, sent, wait):
    """Seconds from the signal to the end, and what was said."""
    (folder / "s.toml").write_text(text)
    process = subprocess.Popen([testkit.CUTIS, "simulate", "s.toml", "--out", "stopped"], cwd=folder,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(wait)
    assert process.poll() is None, f"over before the signal: {process.communicate()[1]}"
    begun = time.time()
    process.send_signal(sent)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, (process.returncode, said)
    assert "stopped as asked" in said and "--resume" in said, said
    return time.time() - begun


def test_signals_are_heard_in_the_midst_of_a_frame():
    for i, (name, text) in enumerate(STAGES.items()):
        for wait in (0.7, 2.5):
            took = latency(text, (signal.SIGINT, signal.SIGTERM)[i % 2], wait)
            print(f"  {name}: ends {took:.2f} s after the signal at {wait} s")
            assert took < PATIENCE, f"{name}: ends {took:.1f} s after the signal"


def still_mesh(document, binary):
    """A second mesh that nothing moves, though the file has clips."""
    document["meshes"].append(json.loads(json.dumps(document["meshes"][0])))
    document["meshes"][1]["name"] = "Statue"
    for name in ("JOINTS_0", "WEIGHTS_0"):
        del document["meshes"][1]["primitives"][0]["attributes"][name]
    document["nodes"].append({"mesh": 1, "name": "statue"})
    document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)


def test_a_body_that_its_clip_does_not_move_is_named():
    edited_glb(data_folder() / "khronos-fox/Fox.glb", folder / "statue.glb", still_mesh)
    (folder / "still.toml").write_text(
        '[body]\nfile = "statue.glb"\nmesh = "Statue"\nscale = "1 cm"\n[time]\nend = 0.2\n'
        '[[figure]]\nname = "travel"\nmeasure = "travel"\n')
    said = cutis("simulate", "still.toml", "--out", "still", cwd=folder, expect=1)
    assert "still.toml: body.clip: " in said.stderr and 'does not move mesh "Statue"' in said.stderr, said.stderr
    assert "FAIL travel" in said.stdout
    summary = json.loads((folder / "still/summary.json").read_text())
    assert "does not move" in summary["still"] and "does not move" in summary["warning"]


def test_the_summary_knows_all_stages():
    (folder / "two.toml").write_text('[body]\nmake = "arm"\n[flesh]\nuse = true\ntetrahedra = 3000\n[skin]\nmethod = "tracked"\n'
                                     '[time]\nend = 0.1\n')
    said = cutis("simulate", "two.toml", "--out", "two", cwd=folder)
    assert "stage flesh" in said.stdout and "stage last" in said.stdout, said.stdout
    earlier = json.loads((folder / "two/summary.json").read_text())["earlier_stages"]
    assert [stage["stage"] for stage in earlier] == ["flesh"]
    assert earlier[0]["timings"]["frame"]["count"] == 3 and earlier[0]["peak_memory_bytes"] > 1e6
    # From disk the same.
    cutis("simulate", "two.toml", "--out", "two", cwd=folder)
    assert json.loads((folder / "two/summary.json").read_text())["earlier_stages"] == earlier


def test_unknown_words_get_the_nearest():
    for words, expected in ((["simulat", "a.toml"], 'no command is called "simulat"; did you mean "simulate"?'),
                            (["dance"], "there are: simulate, demo"),
                            ([], "give a command"),
                            (["picture", "r", "--filed", "jump"], 'no option is called "--filed"; did you mean "--field"?'),
                            (["explain", "skin", "body"], '"body" is one word too many'),
                            (["picture", "r", "--look", "feld"], '--look: there is no "feld"; did you mean "field"?'),
                            (["--threads", "x", "list"], '"x": give a number from 1 to 1024'),
                            (["new"], "CHARACTER is required")):
        said = cutis(*words, cwd=folder, expect=2).stderr
        assert expected in said and said.count("\n") == 1, said


def test_broken_files_are_named_in_plain_words():
    (folder / "broken.gltf").write_text('{"asset": nope}')
    (folder / "result").mkdir()
    (folder / "result/summary.json").write_text('{"format": ')
    (folder / "broken.toml").write_text("[body\n")
    for words in (["info", "broken.gltf"], ["info", "result"], ["picture", "result"], ["simulate", "broken.toml"]):
        said = cutis(*words, cwd=folder, expect=2).stderr
        assert "json.exception" not in said and "Error while parsing" not in said, said
    assert "line 1, column" in cutis("info", "result", cwd=folder, expect=2).stderr


run_tests(globals())
