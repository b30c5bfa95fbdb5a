import type { HttpReply } from "@tillkit/core/http";
import type { Sandbox } from "../open-sandbox.js";

/**
 * Calls the control interface. `target` is a path with an optional query.
 *
 * `input` is sent as it is if it is a text, and otherwise as JSON. Without it, the body is empty.
 */
export function callControl(
  { control }: Pick<Sandbox, "control">,
  method: string,
  target: string,
  input?: unknown,
): Promise<HttpReply<string>> {
  const [path = "", query = ""] = target.split("?");
  const text = typeof input === "string" ? input : input === undefined ? "" : JSON.stringify(input);
  const body = new TextEncoder().encode(text);
  return control.handle({ method, path, query, headers: new Headers(), body });
}

/** Sends `input` as JSON to a path of the control interface. */
export function postControl(
  sandbox: Pick<Sandbox, "control">,
  path: string,
  input: object,
): Promise<HttpReply<string>> {
  return callControl(sandbox, "POST", path, input);
}
