// The server's interface: one function per route.

/** The server answered, and the answer is no; the message is the server's own sentence. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The server cannot be reached, or cannot answer now; trying again later may help. */
export class Unreachable extends Error {}

export const enter = (token, participant) => post("/api/enter", { token, ...(participant && { participant }) });
export const leave = () => post("/api/leave", {});
export const campaign = () => get("/api/campaign");
export const nextTask = () => get("/api/task");
export const taskAt = (position) => get(`/api/task?position=${position}`);
export const sendProfile = (profile) => post("/api/profile", profile);
export const sendAnswers = (answers) => post("/api/answers", { answers });
export const lead = () => get("/api/lead");

const TRY_AGAIN = new Set([408, 425, 429]);

function get(path) {
  return request(path, {});
}

function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body, wellFormed) });
}

/** Half a character, as a text field can have after an odd deletion or paste, is nothing that UTF-8 could carry. */
function wellFormed(name, value) {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
}

async function request(path, options) {
  let response;
  let content;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
    content = await response.json();
  } catch (error) {
    throw new Unreachable(response?.ok === false ? `The server answered with error ${response.status}.` : "");
  }
  if (response.ok) return content;
  const message = content?.error ?? `The server answered with error ${response.status}.`;
  if (response.status >= 500 || TRY_AGAIN.has(response.status)) throw new Unreachable(message);
  throw new Refusal(response.status, message);
}
