import type { HttpReply } from "@tillkit/core/http";
import type { NodeResponse } from "./node-messages.js";

/** Adds the cookies of the reply to those that the host has set. */
export function setCookies(response: NodeResponse, { cookies = [] }: Pick<HttpReply, "cookies">): void {
  for (const cookie of cookies) response.appendHeader("set-cookie", cookie);
}
