// A corrected translation and a comment, where the campaign asks for them: with the last step of a task.

import { freshId, h } from "../dom.js";

export function extraFields({ protocol, outputs, initial, changed, isLast }) {
  const edits = isLast && protocol.post_edit ? outputs.map((output) => editField(output, initial, changed)) : [];
  const comment = isLast && protocol.comment ? field("Comment", "Optional.", initial?.comment ?? "", {}, changed) : null;
  return {
    element: (edits.length > 0 || comment) && h("div", { class: "extra" }, edits.map((edit) => edit.element), comment?.element),
    payload: () => ({ ...editedTexts(), ...givenComment() }),
    comment: givenComment,
  };

  function givenComment() {
    const text = comment?.area.value.trim();
    return text ? { comment: text } : {};
  }

  function editedTexts() {
    const edited = edits.filter((edit) => edit.isGiven()).map((edit) => [edit.id, edit.area.value]);
    return edited.length > 0 ? { post_edit: Object.fromEntries(edited) } : {};
  }
}

/** An untouched text says nothing: only a box says that there is nothing to correct. */
function editField(output, initial, changed) {
  const earlier = initial?.post_edit?.[output.id];
  const label = `Corrected translation${output.label ? ` ${output.label}` : ""}`;
  const made = field(label, "Optional. Change as little as possible.", earlier ?? output.text, output, () => { showBox(); changed(); });
  const box = h("input", { type: "checkbox", checked: earlier === output.text, onchange: changed });
  const nothing = h("label", { class: "switch" }, box, " Nothing to correct");
  const isEdited = () => made.area.value !== output.text;
  made.element.append(nothing);
  showBox();
  return { ...made, id: output.id, isGiven: () => isEdited() || box.checked };

  function showBox() {
    nothing.hidden = isEdited();
    if (isEdited()) box.checked = false;
  }
}

function field(label, note, text, { lang, dir }, changed) {
  const id = freshId("field");
  const area = h("textarea", { id, rows: text ? 3 : 2, lang: lang || null, dir: dir || "auto", oninput: changed, "aria-describedby": `${id}-note` });
  area.value = text;
  return { area, element: h("div", { class: "field" }, h("label", { for: id }, label), h("span", { class: "note", id: `${id}-note` }, note), area) };
}
