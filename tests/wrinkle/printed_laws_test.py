"""`cutis explain wrinkle.law` and summary.json name the wavelengths and critical strains of layers by both laws: those of the thesis's
reference skin are the known ones, those of other layers follow the formulas of docs/wrinkle.md, and wrinkle.law says which come first."""
import pathlib, tempfile
import numpy as np
from testkit import cutis
from wrinkled import SUBSTRATE, critical_strain, printed_laws, simulate, wavelength

SHOT = """
[body]
make = "patch"
[time]
end = 0
[skin]
method = "none"
[[skin.region]]
name = "spot"
use = "name"
center = [0, 0, 0]
radius = "3 mm"
[wrinkle]
use = true
region = "spot"
law = "{law}"
adaptive = false
edge = 0.25
{more}
"""
DEFAULT = [(4e6, 1.3e-3), (600e6, 0.12e-3)]
# Wavelengths [m] and critical strains of the default layers.
KNOWN = {"thesis": [(6.24e-3, 0.143), (0.91e-3, 0.0572)], "layer": [(11.3e-3, 0.0433), (2.45e-3, 0.00792)]}
HALF_A_DIGIT = 0.0051  # three digits are printed, the least of which is 100 for


def by_formulas(law, layers, below=SUBSTRATE):
    waves = [wavelength(law, layer, under) for layer, under in zip(layers, [below, *layers])]
    return [(wave, critical_strain(thickness, wave)) for wave, (_, thickness) in zip(waves, layers)]


def check(text, first, expected):
    """`expected` by law; that of the law `first` is printed first."""
    other = {"thesis": "layer", "layer": "thesis"}[first]
    said = printed_laws(text)
    assert f'by the law "{other}"' in text and f'by the law "{first}"' not in text, text
    for place, law in enumerate((first, other)):
        printed = np.array([layer[place] for layer in said])
        assert np.allclose(printed, expected[law], rtol=HALF_A_DIGIT, atol=0), (law, printed, expected[law])


for law in KNOWN:
    assert np.allclose(KNOWN[law], by_formulas(law, DEFAULT), rtol=HALF_A_DIGIT), (law, by_formulas(law, DEFAULT))
check(cutis("explain", "wrinkle.law").stdout.replace("\n", " "), "thesis", KNOWN)

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for law in KNOWN:
        check(simulate(folder, law, SHOT.format(law=law, more=""))[1]["made"], law, KNOWN)

    # Layers and a substrate of the shot's own; a wavelength that is given stands in place of both laws.
    own = [(2e6, 0.8e-3), (50e6, 0.2e-3)]
    text = "".join(f"[[wrinkle.layer]]\nyoung = {young}\nthickness = {thickness}\n" for young, thickness in own)
    body = 'substrate_young = "100 kPa"\nsubstrate_thickness = "4 mm"\n'
    expected = {law: by_formulas(law, own, (100e3, 4e-3)) for law in KNOWN}
    assert abs(expected["layer"][0][0] / expected["thesis"][0][0] - 1) > 0.1, expected
    check(simulate(folder, "own", SHOT.format(law="layer", more=body + text))[1]["made"], "layer", expected)
    made = simulate(folder, "given", SHOT.format(law="layer", more=text + 'wavelength = "5 mm"'))[1]["made"]
    assert f"layer 2 has wrinkles of 5 mm from {100 * critical_strain(0.2e-3, 5e-3):.3g} % compression on" in made, made
    assert "by the law" not in made.split("layer 2")[1], made
print("both laws are told with their numbers")
