// Which of several outputs a key is meant for: the one that has the focus, else the first without an answer.

export function activeOutput(outputs, answered) {
  const focused = document.activeElement?.closest?.("[data-output]")?.dataset.output;
  return outputs.find((output) => output.id === focused) ?? outputs.find((output) => !answered(output)) ?? outputs[0];
}
