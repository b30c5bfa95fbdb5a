import type { HttpReply } from "@tillkit/core/http";
import type { Sandbox } from "../open-sandbox.js";

/** Sends `input` as JSON to a path of the control interface. */
export function postControl(
  { control }: Pick<Sandbox, "control">,
  path: string,
  input: object,
): Promise<HttpReply<string>> {
  const body = new TextEncoder().encode(JSON.stringify(input));
  return control.handle({ method: "POST", path, query: "", headers: new Headers(), body });
}
