#!/usr/bin/env python3
"""convert_smpl.py MODEL.pkl MODEL.npz: turns a body model of the SMPL family into the plain arrays that Cutis reads.

Reads the pickles that SMPL, SMPL-H, SMPL-X and MANO come as, and NPZ files with pickled arrays inside. Needs NumPy alone:
what was saved with chumpy or SciPy is understood without them, and nothing that a file asks for is ever run."""
import io, pickle, sys, zipfile

import numpy as np

NEEDED = ("v_template", "f", "shapedirs", "posedirs", "J_regressor", "weights", "kintree_table")
OPTIONAL = ("vt", "ft")


class Stub:
    """Stands for an object of a package that need not be there: keeps what was saved in it."""

    def __init__(self, *arguments):
        pass

    def __setstate__(self, state):
        self.__dict__.update(state if isinstance(state, dict) else {})


def rebuilt(kind, base, state):
    if not (isinstance(kind, type) and issubclass(kind, Stub)):
        raise pickle.UnpicklingError("an object of an unknown kind")
    return kind()


class PlainUnpickler(pickle.Unpickler):
    """Makes arrays, numbers, texts and stubs; everything else is refused by name."""

    def find_class(self, module, name):
        if module.split(".")[0] in ("chumpy", "scipy"):
            return type(name, (Stub,), {})
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name == "_reconstruct":
            return np.core.multiarray._reconstruct
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name == "scalar":
            return lambda dtype, data: np.frombuffer(data.encode("latin1") if isinstance(data, str) else data, dtype)[0]
        if (module, name) in (("numpy", "ndarray"), ("numpy", "dtype")):
            return getattr(np, name)
        if (module, name) == ("_codecs", "encode"):
            return lambda text, encoding="latin1": text.encode("latin1")
        if module in ("copy_reg", "copyreg") and name == "_reconstructor":
            return rebuilt
        if module in ("__builtin__", "builtins") and name in ("object", "set", "list", "dict", "tuple"):
            return {"object": object, "set": set, "list": list, "dict": dict, "tuple": tuple}[name]
        raise pickle.UnpicklingError(f"it asks for {module}.{name}, which no body model needs")


def unpickled(stream):
    return PlainUnpickler(stream, encoding="latin1").load()


def from_npz(path):
    values = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.endswith(".npy") or name[:-4] not in NEEDED + OPTIONAL:
                continue
            stream = io.BytesIO(archive.read(name))
            version = np.lib.format.read_magic(stream)
            read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            dtype = read_header(stream)[2]
            if not dtype.hasobject:
                stream.seek(0)
                values[name[:-4]] = np.lib.format.read_array(stream, allow_pickle=False)
                continue
            value = unpickled(stream)
            values[name[:-4]] = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
    return values


def dense(matrix):
    """A matrix of scipy.sparse, by columns or by rows."""
    rows = "csr" in type(matrix).__name__
    shape = tuple(getattr(matrix, "_shape", None) or matrix.shape)
    result = np.zeros(shape)
    for major in range(shape[0] if rows else shape[1]):
        part = slice(matrix.indptr[major], matrix.indptr[major + 1])
        at = (major, matrix.indices[part]) if rows else (matrix.indices[part], major)
        np.add.at(result, at, matrix.data[part])
    return result


def plain(value):
    if isinstance(value, Stub):
        if hasattr(value, "indptr"):
            return dense(value)
        if hasattr(value, "x"):
            return plain(value.x)
        if hasattr(value, "idxs"):  # some entries of another array, in another shape
            picked = plain(value.a).ravel()[np.asarray(value.idxs)]
            return picked.reshape(getattr(value, "preferred_shape", picked.shape))
        raise ValueError(f"a {type(value).__name__} of chumpy or SciPy, which is not understood")
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise ValueError("no numbers")
    return np.ascontiguousarray(array)


def converted(path):
    if zipfile.is_zipfile(path):
        values = from_npz(path)
    else:
        with open(path, "rb") as stream:
            values = unpickled(stream)
    if not isinstance(values, dict):
        raise ValueError("holds no named arrays; it is no body model")
    missing = [name for name in NEEDED if name not in values]
    if missing:
        raise ValueError(f"has no {', '.join(missing)}; it is no body model of the SMPL family")
    arrays = {}
    for name in NEEDED + OPTIONAL:
        if name in values:
            try:
                arrays[name] = plain(values[name])
            except Exception as error:
                raise ValueError(f"{name}: {error}") from error
    return arrays


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    source, target = sys.argv[1:]
    try:
        arrays = converted(source)
    except Exception as error:  # a pickle can break in any way there is
        print(f"{source}: {' '.join(str(error).split()) or type(error).__name__}", file=sys.stderr)
        return 2
    np.savez_compressed(target, **arrays)
    print(f"{target}: {', '.join(f'{k} {v.shape}' for k, v in arrays.items())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
