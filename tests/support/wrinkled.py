"""Shots with wrinkles: runs that must converge, and the wavelengths and critical strains that docs/wrinkle.md predicts, by NumPy alone."""
import json, re
import numpy as np
from testkit import cutis

SUBSTRATE = (500e3, 15e-3)  # Young's modulus and thickness of the body [Pa, m]
NU = 0.5


def simulate(folder, name, shot):
    """The result and its summary; all frames must be there, have converged and be finite."""
    (folder / f"{name}.toml").write_text(shot)
    cutis("simulate", f"{name}.toml", cwd=folder)
    result = folder / f"{name}-result"
    summary = json.loads((result / "summary.json").read_text())
    assert summary["complete"] and not summary["unconverged"], (name, summary["unconverged"])
    for frame in frames(result):
        assert np.isfinite(frame["positions"]).all(), (name, frame["frame"])
    return result, summary


def frames(result):
    return [np.load(path) for path in sorted((result / "frames").iterdir())]


def least_at(f, low, high):
    """Where f, which has one minimum between positive numbers, is least."""
    for _ in range(6):
        x = np.geomspace(low, high, 401)
        k = np.clip(np.argmin(f(x)), 1, 399)
        low, high = x[k - 1], x[k + 1]
    return np.sqrt(low * high)


def wavelength(law, layer, below=SUBSTRATE):
    """Of a layer (Young's modulus, thickness) on what is below it."""
    (young, thickness), (soft, depth) = layer, below
    if law == "thesis":
        return np.sqrt(thickness * depth) * (young / soft) ** (1 / 6)
    bending = young * thickness**3 / (12 * (1 - NU**2))

    def cost(q):
        x = q * depth
        foundation = 2 * soft / 3 * q * (np.cosh(x) ** 2 + x**2) / (np.sinh(x) * np.cosh(x) - x)
        return bending * q**2 + foundation / q**2
    return 2 * np.pi / least_at(cost, 0.01 / depth, 100 / depth)


def critical_strain(thickness, wavelength):
    return (2 * np.pi * thickness / wavelength) ** 2 / 12


def printed_laws(text):
    """What `made` of a summary and `cutis explain wrinkle.law` say of each layer: by the shot's law and by the other one [m, 1]."""
    found = re.findall(r"layer (\d) has wrinkles of (\S+) mm from (\S+) % compression on \((\S+) mm and (\S+) % by the law", text)
    assert [int(line[0]) for line in found] == list(range(1, len(found) + 1)) and found, text
    return [[(float(w) / 1e3, float(strain) / 100) for w, strain in ((line[1], line[2]), (line[3], line[4]))] for line in found]
