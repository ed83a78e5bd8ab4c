// A corrected translation and a comment, where the campaign asks for them: with the last step of a task.

import { freshId, h } from "../dom.js";

export function extraFields({ protocol, outputs, initial, changed, isLast }) {
  const edits = isLast && protocol.post_edit ? outputs.map((output) => editField(output)) : [];
  const comment = isLast && protocol.comment ? commentField() : null;
  return {
    element: (edits.length > 0 || comment) && h("div", { class: "extra" }, edits.map((edit) => edit.element), comment?.element),
    payload: () => ({ ...(edits.length > 0 && { post_edit: Object.fromEntries(edits.map((edit) => [edit.id, edit.area.value])) }), ...given() }),
    comment: given,
  };

  function given() {
    const text = comment?.area.value.trim();
    return text ? { comment: text } : {};
  }

  function editField(output) {
    const label = `Corrected translation${output.label ? ` ${output.label}` : ""}`;
    const text = initial?.post_edit?.[output.id] ?? output.text;
    return { ...field(label, "Change as little as possible. Leave the text as it is if nothing is wrong.", text, output), id: output.id };
  }

  function commentField() {
    return field("Comment", "Optional.", initial?.comment ?? "", { dir: "auto" });
  }

  function field(label, note, text, { lang, dir }) {
    const id = freshId("field");
    const area = h("textarea", { id, rows: text ? 3 : 2, lang: lang || null, dir: dir || "auto", oninput: changed, "aria-describedby": `${id}-note` });
    area.value = text;
    return { area, element: h("div", { class: "field" }, h("label", { for: id }, label), h("span", { class: "note", id: `${id}-note` }, note), area) };
  }
}
