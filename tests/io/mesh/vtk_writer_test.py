"""VTK itself reads what the VTK writer wrote: the collection with its times, and in every frame the same polygons,
positions, point data and cell data, number for number."""
import pathlib, subprocess, tempfile, xml.etree.ElementTree
import numpy
from testkit import BUILD, skip

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
    from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
except ImportError:
    skip("no python3-vtk9 here")

said = vtkStringOutputWindow()
vtkOutputWindow.SetInstance(said)


def read(path):
    reader = vtkXMLUnstructuredGridReader()
    assert reader.CanReadFile(str(path)), path
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def faces_of(obj):
    return [[int(corner.split("/")[0]) - 1 for corner in line.split()[1:]] for line in obj.read_text().splitlines() if line.startswith("f ")]


def check(folder, name, frames, vertices):
    given = numpy.fromfile(folder / f"{name}.f64").reshape(frames, vertices, 3)
    fields = dict(numpy.load(folder / f"{name}.fields.npz"))
    uvs = fields.pop("uvs", None)
    faces = faces_of(folder / f"{name}.obj")
    collection = xml.etree.ElementTree.parse(folder / f"{name}.vtk/skin.pvd").getroot().findall("Collection/DataSet")
    assert [float(entry.get("timestep")) for entry in collection] == [i / 24 for i in range(frames)]
    for i, entry in enumerate(collection):
        grid = read(folder / f"{name}.vtk" / entry.get("file"))
        assert numpy.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), given[i]), f"{name}: positions of frame {i}"
        assert grid.GetNumberOfCells() == len(faces)
        for f, face in enumerate(faces):
            ids = grid.GetCell(f).GetPointIds()
            assert [ids.GetId(k) for k in range(ids.GetNumberOfIds())] == face, f"{name}: face {f}"
        for field, values in fields.items():
            data = grid.GetCellData() if field.startswith("face_") else grid.GetPointData()
            back = vtk_to_numpy(data.GetArray(field))
            assert back.dtype == values.dtype and numpy.array_equal(back, values[i]), f"{name}: {field} of frame {i}"
        one_each = uvs is not None and not name.startswith(("tube", "vanish"))  # their seam has two a vertex
        coordinates = grid.GetPointData().GetTCoords()
        assert (coordinates is not None) == one_each, f"{name}: texture coordinates"
        if one_each:
            corners = numpy.concatenate(faces)
            assert numpy.array_equal(vtk_to_numpy(coordinates)[corners], uvs[i]), f"{name}: texture coordinates of frame {i}"
    return len(fields)


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    listed = subprocess.run([BUILD / "tests/write_samples", folder], check=True, capture_output=True, text=True).stdout
    samples = [line.split() for line in listed.splitlines()]
    assert len(samples) >= 6, listed
    with_fields = 0
    for name, frames, vertices in samples:
        count = check(folder, name, int(frames), int(vertices))
        with_fields += count == 4
        print(f"{name}: {frames} frames, {vertices} vertices, {count} fields: equal")
    assert with_fields >= 5
assert said.GetOutput() == "", said.GetOutput()
