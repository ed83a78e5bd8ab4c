// Questions that are repeated until the server can be reached.

import { Unreachable } from "../api.js";

const LONGEST_PAUSE = 30; // seconds

/** The answer to `question`; `tell` hears of every attempt that failed. What the server refuses is thrown. */
export async function patiently(question, tell) {
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await question();
    } catch (error) {
      tell(error);
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((resolve) => { setTimeout(resolve, pause * 1000); });
    }
  }
}
