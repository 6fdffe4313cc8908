#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "cutis/body/simulation_body.h"
#include "cutis/skin/skin_tissue.h"
#include "cutis/skin/slide.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// A method that runs on a body of another resolution; its map is carried to every vertex of the source.
class SimulationMeshSlide final : public Slide {
 public:
  /// `make` makes the method's slide on the simulation mesh's body. The body must outlive this.
  SimulationMeshSlide(const Body& body, std::shared_ptr<const SimulationMesh> simulation_mesh, SlidesOn on,
                      const std::function<std::unique_ptr<Slide>(const Body&)>& make);

  StepReport advance(double time) override;
  const SourcePoints& positions() const override { return positions_; }
  SourcePoints velocities() const override;
  SkinState skin() const override;
  const SkinTissue* tissue() const override { return tissue_ ? &*tissue_ : nullptr; }
  IdVector<VertexId, double> slide_limits() const override;
  bool holds_slide_limits() const override { return slide_->holds_slide_limits(); }
  State save() const override;
  /// positions() and skin() are right again after the next advance().
  void restore(const State& state) override;

 private:
  const Body& body_;
  std::shared_ptr<const SimulationMesh> simulation_mesh_;
  SimulationBody simulation_body_;
  std::unique_ptr<Slide> slide_;
  SlideSurface surface_;
  SlideSurface at_rest_;
  std::optional<SkinTissue> tissue_;  ///< on the triangles of the source
  std::vector<VertexId> parted_;      ///< stay where they are: see Weld::split_vertices()
  SurfaceMap map_;
  SkinPoints solved_;  ///< of the simulation mesh's vertices, at the last frame; empty before the first
  Points offsets_;     ///< of skin that leaves the surface, on the vertices of the source; empty: none
  double time_ = 0;
  SourcePoints positions_;

  IdVector<VertexId, double> reaches(const SkinPoints& solved, const Points& welded, double dt) const;
  void place(double time, const std::function<SurfacePoint(VertexId, const SurfacePoint&)>& held,
             SurfaceMap::Points& points);
};

}  // namespace cutis
