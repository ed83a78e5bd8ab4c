// Where the page starts: a personal link, or the session that it opened before.

import * as api from "./api.js";
import { Judging } from "./flow/judging.js";
import { patiently } from "./flow/patience.js";
import * as status from "./flow/status.js";
import { showLead } from "./screens/lead.js";
import { showNoLink, showNoPlace, showWelcome } from "./screens/welcome.js";
import { read, write } from "./storage.js";

const ROLE = "understudy/role"; // of the session whose cookie this browser has
const NO_PLACE = 409;
const LONGEST_PARAMETER = 200; // and further limits of the server
const LONGEST_PARAMETER_NAME = 64;
const MOST_PARAMETERS = 10;

window.addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
begin();

async function begin() {
  const token = location.hash.slice(1).split(/[?&]/)[0];
  try {
    if (token) await enter(token);
    else if (read(ROLE)) await go(read(ROLE));
    else showNoLink();
  } catch (error) {
    refused(error);
  }
}

async function enter(token) {
  await showWelcome();
  const { role } = await asking(() => api.enter(token, participant()));
  // The link is a key: it does not stay in the address bar, nor in the history.
  history.replaceState(null, "", location.pathname);
  write(ROLE, role);
  await go(role);
}

async function go(role) {
  if (role === "judge") await new Judging(await asking(api.campaign)).start();
  else await showLead(role);
}

/** What a crowd platform has written into the link, such as PROLIFIC_PID. Some append it to the end, after the token. */
function participant() {
  const appended = location.hash.split(/[?&](.*)/)[1] ?? "";
  const given = [...new URLSearchParams(location.search), ...new URLSearchParams(appended)].filter(([name]) => name.length <= LONGEST_PARAMETER_NAME)
    .map(([name, value]) => [name, value.slice(0, LONGEST_PARAMETER)]).slice(0, MOST_PARAMETERS);
  return given.length > 0 ? Object.fromEntries(given) : null;
}

async function asking(question) {
  const answer = await patiently(question, (error) => status.problem(`${error.message || "The server cannot be reached."} Trying again.`));
  status.solved();
  return answer;
}

function refused(error) {
  if (!(error instanceof api.Refusal)) throw error;
  status.solved();
  if (error.status === NO_PLACE) showNoPlace(error.message);
  else showNoLink(error.message);
}
