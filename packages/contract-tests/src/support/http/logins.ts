import { expect } from "vitest";
import type { Caller } from "./caller.js";
import { textAt } from "./json.js";
import type { Service } from "./service.js";

/** A mainland number, different for each `index` below a million. */
export function aMobileNo(index = 0): string {
  return `13800${String(index).padStart(6, "0")}`;
}

/** The code of the newest message. */
export function lastCode({ host }: Pick<Service, "host">): string {
  const message = host.smsSender.messages.at(-1);
  if (message === undefined) throw new Error("No message was sent.");
  return message.authCode;
}

/** A code that is not `code`. */
export function wrongCode(code: string): string {
  return `${code.startsWith("0") ? "1" : "0"}${code.slice(1)}`;
}

/** Asks for a code, which must be sent, and returns it. */
export async function codeFor(service: Service, caller: Caller, mobileNo: string): Promise<string> {
  const answer = await caller.get("/sms.json", { mobileNo });
  expect(answer.json).toMatchObject({ code: 0, msg: "success", data: "ok" });
  return lastCode(service);
}

/** Logs a customer in, which must succeed. */
export async function loggedIn(service: Service, caller: Caller, mobileNo: string) {
  const authCode = await codeFor(service, caller, mobileNo);
  const answer = await caller.post("/auth.json", { mobileNo, authCode });
  expect(answer.json).toMatchObject({ code: 0, msg: "success" });
  return { customerId: textAt(answer.data, "customerId"), token: textAt(answer.data, "token") };
}
