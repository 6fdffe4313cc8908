"""Whether the forces in skin balance, from written positions, directions and the shot's law alone: the residual of Lagrangian skin,
measured again with NumPy and nothing of Cutis.

Only where the law is simple enough to write down twice: taut skin (in compression it wrinkles, docs/materials.md), away from its
slide limit (where ligaments pull) and below the stretch at which skin fails. There the pull of the triangles around a vertex must
cancel along the surface. Normals are those of the flat triangles, so it does to a few thousandths of what they pull; in skin that
was not solved for, it does not by a few hundredths."""
import tomllib
import numpy as np

MOST = 0.01        # of the pull around a vertex, at half of the vertices: found are 0.001 to 0.005, in plain skinning 0.015 to 0.09
FEWEST = 100       # vertices that must be left for the half of them to mean something
FAILS = 1.5        # the stretch from which on laws no longer grow
FAR_FROM_LIMIT = 0.6
# Of docs/materials.md: E [Pa], nu, alpha [Pa], beta, k2 [Pa], k3.
HUMAN_FOREARM = (129e3, 0.5, 4.41e3, 7.65, 127.9e3, 0.134)


def stress(F, fibres):
    """dW/dF of Eqs. 2, 4 and 5 of ViSkin with the constants of docs/materials.md; fibres lie along the first column."""
    young, poisson, alpha, beta, k2, k3 = HUMAN_FOREARM
    tangent_lame, shear = young * poisson / (1 - poisson**2), young / (2 * (1 + poisson))
    mu, lame = shear - alpha * beta / 2, tangent_lame + shear - alpha * beta**2 / 2
    k = 1 + (mu + alpha * beta / 2) / lame
    C = np.swapaxes(F, 1, 2) @ F
    I1, J = np.trace(C, axis1=1, axis2=2), np.sqrt(np.linalg.det(C))
    P = (mu + alpha * beta / 2 * np.exp(np.minimum(beta / 2 * (I1 - 2), 50)))[:, None, None] * F
    P += (lame * (J - k) * J)[:, None, None] * (F @ np.linalg.inv(C))
    if fibres:
        s = np.clip(C[:, 0, 0] - 1, 0, 10)
        P[:, :, 0] += (2 * (3 * s**2 + k3 * s**3) * k2 * np.exp(k3 * s))[:, None] * F[:, :, 0]
    return P


def sides(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.stack([b - a, c - a], axis=2)


def out_of_balance(mesh, positions, prestretch):
    """Per vertex: the force left along the surface over the sum of the pulls; and whether all triangles around are taut."""
    triangles, edges = mesh["triangles"], sides(mesh["rest"], mesh["triangles"])
    normal = np.cross(edges[:, :, 0], edges[:, :, 1])
    twice = np.linalg.norm(normal, axis=1)
    along = mesh["directions"] if "directions" in mesh else edges[:, :, 0]
    normal = normal / twice[:, None]
    along = along - (along * normal).sum(axis=1)[:, None] * normal
    along = along / np.linalg.norm(along, axis=1)[:, None]
    frame = np.stack([along, np.cross(normal, along)], axis=1)
    to_plane = np.linalg.inv(frame @ edges)
    taut_at_rest = np.diag([1 / prestretch, 1.0])
    F = sides(positions, triangles) @ to_plane @ taut_at_rest
    pull = (twice / 2)[:, None, None] * (stress(F, "directions" in mesh) @ taut_at_rest) @ np.swapaxes(to_plane, 1, 2)
    stretches = np.linalg.svd(F, compute_uv=False)
    simple = (stretches[:, 1] >= 1) & (stretches[:, 0] < FAILS)
    now = np.cross(*np.moveaxis(sides(positions, triangles), 2, 0))
    force, normals, sum_of_pulls, taut = np.zeros_like(positions), np.zeros_like(positions), np.zeros(len(positions)), np.ones(len(positions), bool)
    for corner, part in ((0, -pull.sum(axis=2)), (1, pull[:, :, 0]), (2, pull[:, :, 1])):
        at = triangles[:, corner]
        np.add.at(force, at, part)
        np.add.at(normals, at, now)
        np.add.at(sum_of_pulls, at, np.linalg.norm(part, axis=1))
        np.logical_and.at(taut, at, simple)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    force -= (force * normals).sum(axis=1)[:, None] * normals
    return np.linalg.norm(force, axis=1) / np.maximum(sum_of_pulls, 1e-300), taut & (sum_of_pulls > 0)


def law_is_known(skin):
    if skin.get("method") != "lagrangian":
        return False
    material, direction = skin["material"], skin.get("direction", {})
    return (material["model"] == "fung" and material.get("preset") == "human_forearm"
            and "young" not in material and "resolution" not in skin and not skin["rest_from"] and not isinstance(skin["thickness"], dict)
            and not isinstance(direction.get("prestretch", 1.0), dict) and direction.get("prestretch_across", 1.0) == 1)


def check_balance(shot, mesh, frames):
    """What is wrong with the forces of these frames; nothing where the shot's law is not known here or too little skin is taut."""
    skin = tomllib.loads(shot).get("skin", {})
    if not law_is_known(skin) or not all(name in frames[0] for name in ("positions", "slide_limit", "slide_chord")):
        return []
    problems, prestretch = [], skin.get("direction", {}).get("prestretch", 1.0)
    for i, frame in enumerate(frames):
        left, taut = out_of_balance(mesh, frame["positions"].astype(np.float64), prestretch)
        counted = taut & (frame["slide_limit"] > 0) & (frame["slide_chord"] < FAR_FROM_LIMIT * frame["slide_limit"])
        if counted.sum() >= FEWEST and np.median(left[counted]) > MOST:
            problems.append(f"frame {i + 1}: {np.median(left[counted]):.2g} of the forces around a vertex are out of balance")
    return problems
