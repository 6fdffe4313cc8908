"""`cutis picture` on a real character: its own texture, its front, frames and places by name, a checker without UVs; with --long
that forty frames take less processor time than their simulation did."""
import pathlib, re, resource, struct, tempfile, zlib
import numpy as np
from testkit import LONG, cutis, data_folder, edited_glb

data = data_folder()
man, fox = data / "khronos-cesium-man/CesiumMan.glb", data / "khronos-fox/Fox.glb"


def pixels(path):
    """An 8-bit RGB PNG as an array of rows."""
    raw, at, body = path.read_bytes(), 8, b""
    width, height = struct.unpack_from(">II", raw, 16)
    while at < len(raw):
        length, kind = struct.unpack_from(">I4s", raw, at)
        body += raw[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    data, rows, last = zlib.decompress(body), [], bytes(3 * width)
    for y in range(height):
        kind, line = data[y * (3 * width + 1)], np.frombuffer(data, np.uint8, 3 * width, y * (3 * width + 1) + 1).astype(int)
        out = np.zeros(3 * width, int)
        above = np.frombuffer(last, np.uint8).astype(int)
        if kind == 0:
            out = line
        elif kind == 2:
            out = (line + above) % 256
        else:
            for i in range(3 * width):
                left, up, corner = (out[i - 3] if i >= 3 else 0), above[i], (above[i - 3] if i >= 3 else 0)
                guess = left + up - corner
                paeth = min((left, up, corner), key=lambda v: abs(guess - v))
                out[i] = (line[i] + {1: left, 3: (left + up) // 2, 4: paeth}[kind]) % 256
        last = out.astype(np.uint8).tobytes()
        rows.append(out.reshape(width, 3))
    return np.array(rows)


def subject(image):
    """Where the picture differs from its background: colourful or dark pixels."""
    return (np.ptp(image, axis=2) > 40) | (image.max(axis=2) < 60)


def turn_around(document, binary):
    """Its back where its front was."""
    scene = document["scenes"][document.get("scene", 0)]
    document["nodes"].append({"children": scene["nodes"], "rotation": [0, 1, 0, 0]})
    scene["nodes"] = [len(document["nodes"]) - 1]


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    def picture(result, *options, expect=0):
        return cutis("picture", result, "--out", "p", "--size", "240x136", *options, cwd=folder, expect=expect)

    (folder / "man.toml").write_text(f'[body]\nfile = "{man}"\n[time]\nend = 1.65\n[skin]\nmethod = "lagrangian"\n'
                                     '[output]\nfields = ["body"]\n[picture]\nbody = "beside"\n')
    cutis("simulate", "man.toml", "--out", "man", cwd=folder)

    # The man wears green and blue stripes on white, on a face that looks ahead.
    hidden = ("--body", "hidden", "--no-animation", "--frames", "6")
    picture("man", "--look", "texture", *hidden)
    worn = pixels(folder / "p/still.png")
    green = (worn[..., 1] - worn[..., 2] > 50) & (worn[..., 1] - worn[..., 0] > 20)
    assert green.sum() > 60, green.sum()
    edited_glb(man, folder / "turned.glb", turn_around)
    (folder / "turned.toml").write_text((folder / "man.toml").read_text().replace(str(man), "turned.glb").replace("lagrangian", "none"))
    cutis("simulate", "turned.toml", "--out", "turned", cwd=folder)
    picture("turned", "--look", "texture", *hidden)
    off = abs(pixels(folder / "p/still.png") - worn).mean()
    print(f"turned round, the picture differs by {off:.2f} of 255")
    assert off < 2, "the camera does not follow the character's front"
    picture("man", *hidden)
    whole = subject(pixels(folder / "p/still.png")).mean()
    picture("man", "--zoom", "Leg_Joint_L_3", *hidden)
    assert subject(pixels(folder / "p/still.png")).mean() > 2 * whole, "a zoom shows more of the skin"
    said = picture("man", "--zoom", "leg_joint_L_33", expect=2).stderr
    assert 'did you mean "leg_joint_L_3"' in said, said
    for frames in ("0", "5-", "7-3", "30-99", "x"):
        picture("man", "--frames", frames, expect=2)

    # Without UVs.
    cutis("export", "man", "--to", "obj", "--out", "objs", cwd=folder)
    plain = "\n".join(re.sub(r"/\S*", "", line) for line in (folder / "objs/skin_000001.obj").read_text().splitlines()
                      if not line.startswith("vt"))
    (folder / "bare.obj").write_text(plain + "\n")
    cutis("simulate", "bare.obj", "--out", "bare", cwd=folder)
    said = picture("bare", "--look", "checker", "--no-animation").stderr
    assert "no texture coordinates" in said, said
    assert subject(pixels(folder / "p/still.png")).mean() > 0.01, "a checker has colours"
    said = picture("bare", "--look", "texture", "--no-animation").stderr
    assert "no texture coordinates" in said, said

    if LONG:
        # Forty frames of a character of 13,380 vertices. Pictures hardly grow with it: of the man above, with 2,338, they take half
        # as much again as the simulation.
        human = data / "makehuman-young-male/makehuman_young_male_cmu.glb"
        (folder / "human.toml").write_text(f'[body]\nfile = "{human}"\nclip = "cmu_02_06_bend_scoop"\n[time]\nend = 1.65\n[skin]\n'
                                           'method = "lagrangian"\n[output]\nfields = ["body"]\n[picture]\nbody = "beside"\n')
        start = processor_time()
        cutis("simulate", "human.toml", "--out", "human", cwd=folder)
        simulated = processor_time()
        cutis("picture", "human", cwd=folder)
        drawn = processor_time()
        print(f"simulated in {simulated - start:.1f} s of processor time, pictures in {drawn - simulated:.1f} s")
        assert drawn - simulated < simulated - start
