import { randomUUID } from "node:crypto";
import { textAt } from "./json.js";

/** A browser of an operator of a host's dashboard. */
export interface OperatorBrowser {
  post(path: string, body: object): Promise<unknown>;
}

/** Sends the name and the password of an operator, and returns the answer. */
export async function operatorBrowser(
  url: string,
  credentials: { readonly user: string; readonly password: string } | undefined,
): Promise<OperatorBrowser & { readonly session: unknown }> {
  if (credentials === undefined) throw new Error("host.json contains no such operator.");
  const { user: name, password } = credentials;
  let cookie = "";
  let csrfToken = "";
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = {
      cookie,
      "x-csrf-token": csrfToken,
      "x-change-id": randomUUID(),
      "content-type": "application/json",
    };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api${path}`, sent);
    const cookies = response.headers.getSetCookie().map((one) => one.slice(0, one.indexOf(";")));
    const answer: unknown = await response.json();
    if (cookies.length > 0) {
      cookie = cookies.join("; ");
      csrfToken = textAt(answer, "csrfToken");
    }
    return answer;
  };
  return { post, session: await post("/session", { name, password }) };
}
