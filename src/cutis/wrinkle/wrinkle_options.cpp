#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

std::vector<WrinkleLayer> default_layers() {
  WrinkleLayer dermis, epidermis;
  dermis.reference = {4e6, 1.3e-3, 0};
  epidermis.reference = {600e6, 0.12e-3, 0};
  return {dermis, epidermis};
}

}  // namespace cutis
