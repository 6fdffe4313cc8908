"""Each room of src/cutis looks only into the rooms above it."""
import re, sys
import testkit

ORDER = "core surface material energy solve body flesh skin wrinkle io measure run shot picture".split()
source = testkit.ROOT / "src/cutis"
mistakes = []
for path in sorted(source.rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    room = path.relative_to(source).parts[0]
    if room not in ORDER:
        mistakes.append(f"{path}: {room} is not a room of the house")
        continue
    for other in re.findall(r'#include "cutis/([a-z_]+)/', path.read_text()):
        if ORDER.index(other) > ORDER.index(room):
            mistakes.append(f"{path}: {room} looks down into {other}")
print("\n".join(mistakes) or "every room looks upwards only")
sys.exit(bool(mistakes))
