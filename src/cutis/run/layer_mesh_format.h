#pragma once

namespace cutis {

/// What files the meshes that a stage computes on are written to.
enum class LayerMeshFormat { None, Ply, Vtk };

}  // namespace cutis
