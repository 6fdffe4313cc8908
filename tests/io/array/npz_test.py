"""NumPy writes, Cutis reads and writes, NumPy reads: every value and shape comes back, and the file is the same each time."""
import pathlib, subprocess, tempfile
import numpy as np
from testkit import BUILD

rng = np.random.default_rng(5)
arrays = {
    "f8": rng.normal(size=(13, 3)), "f4": rng.normal(size=(4, 3, 2)).astype("f4"),
    "i4": np.arange(-5, 5, dtype="i4"), "i8": np.array([2**40, -1]), "u1": np.frombuffer(b"cutis", "u1"),
    "b1": np.array([True, False]), "u4": np.array([0, 2**32 - 1], "u4"), "u2": np.array([[0, 2**16 - 1]], "u2"), "text": np.array("female"),
    "words": np.array([["a", "bc"], ["déf", ""]]), "scalar": np.float64(0.25), "empty": np.zeros((0, 3)),
    "special": np.array([np.nan, np.inf, -0.0]),
}


def copy(source, target, expect=0):
    done = subprocess.run([BUILD / "tests/npz_copy", source, target], text=True, capture_output=True)
    assert done.returncode == expect, done.stderr
    return done.stderr


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for save in np.savez, np.savez_compressed:
        save(folder / "in.npz", **arrays)
        copy(folder / "in.npz", folder / "out.npz")
        copy(folder / "out.npz", folder / "again.npz")
        assert (folder / "out.npz").read_bytes() == (folder / "again.npz").read_bytes()
        with np.load(folder / "out.npz", allow_pickle=False) as back:
            assert sorted(back.files) == sorted(arrays)
            for name, value in arrays.items():
                value = np.asarray(value)
                assert back[name].dtype == value.dtype and back[name].shape == value.shape, name
                assert back[name].tobytes() == value.tobytes(), name

    # What is stored in another way comes back as the same values: C order, and bytes widened to characters.
    cube = rng.normal(size=(3, 4, 5))
    np.savez(folder / "in.npz", fortran=np.asfortranarray(cube), flat=np.asfortranarray(np.arange(6).reshape(2, 3)),
             letters=np.array([b"male", b"ab"]))
    copy(folder / "in.npz", folder / "out.npz")
    with np.load(folder / "out.npz", allow_pickle=False) as back:
        assert not np.isfortran(back["fortran"]) and (back["fortran"] == cube).all()
        assert (back["flat"] == np.arange(6).reshape(2, 3)).all()
        assert back["letters"].tolist() == ["male", "ab"], back["letters"]

    for name, value, words in [("big", np.arange(3, dtype=">f8"), ["little-endian"]),
                               ("half", np.arange(3, dtype="f2"), ["only f8"]),
                               ("objects", np.array({"a": 1}, object), ["pickled", "convert_smpl.py"])]:
        np.savez(folder / "in.npz", **{name: value})
        message = copy(folder / "in.npz", folder / "out.npz", expect=1)
        assert all(w in message for w in [*words, f"{name}.npy", "in.npz"]), message
