// The ways to answer, by the name that a protocol gives them.
//
// Each is a function of {step, task, outputs, initial, changed} that returns
//   underOutput(output)   element shown with each output (optional)
//   textOf(output)        element shown instead of an output's text (optional)
//   sourceText, underSource, overall   elements instead of the source, under it, and under all outputs (optional)
//   payload()             the answer as it is sent
//   missing()             what is still to be answered, or null
//   key(event)            uses a key and returns true, or false
//   advice                how to answer, in one sentence (optional)

import { pairwise } from "./pairwise.js";
import { ranking } from "./ranking.js";
import { scale } from "./scale.js";
import { slider } from "./slider.js";
import { spans } from "./spans.js";

export const WIDGETS = { scale, slider, ranking, pairwise, spans };
