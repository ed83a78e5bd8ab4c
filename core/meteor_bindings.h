// Makes METEOR's part of the Python module; see bindings.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace understudy {

void bind_meteor(nanobind::module_& module);

}  // namespace understudy
