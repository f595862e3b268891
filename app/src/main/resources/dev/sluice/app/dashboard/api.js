// Talks to the management API. What goes wrong is an Error whose message can be shown to a person.

const TOKEN = "sluice-token";

/** A call that was refused, with the status of the answer and all that it told. */
export class Refused extends Error {
  constructor(status, message, told = {}) {
    super(message);
    this.status = status;
    this.told = told;
  }
}

async function call(method, path, body) {
  const headers = {};
  const token = sessionStorage.getItem(TOKEN);
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  let answer;
  try {
    answer = await fetch(path, { method, headers, body });
  } catch {
    throw new Refused(0, "The proxy does not answer. Is it still running?");
  }
  const text = await answer.text();
  const told = text && answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : {};
  if (!answer.ok) {
    throw new Refused(answer.status, told.detail ?? `${method} ${path} was answered ${answer.status}.`, told);
  }
  return told;
}

export const get = (path) => call("GET", path);

/** Asks for something that changes something; asks the person for the token where it needs one. */
export async function post(path, askForToken) {
  try {
    return await call("POST", path);
  } catch (refused) {
    if (refused.status !== 401 && refused.status !== 403) {
      throw refused;
    }
    const token = await askForToken(refused.message);
    if (!token) {
      throw refused;
    }
    sessionStorage.setItem(TOKEN, token);
    return call("POST", path);
  }
}

/** The same, where "there is none" is an answer, too. */
export async function getIfAny(path) {
  try {
    return await get(path);
  } catch (refused) {
    if (refused.status === 404) {
      return undefined;
    }
    throw refused;
  }
}

export const clusterPath = (name) => `api/v1/virtual-clusters/${encodeURIComponent(name)}`;
