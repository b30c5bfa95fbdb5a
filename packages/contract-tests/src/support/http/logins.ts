import { expect } from "vitest";
import type { Caller } from "./caller.js";
import { textAt } from "./json.js";
import type { Service } from "./service.js";

/** Returns a mainland China number, different for each `index` below a million. */
export function aMobileNo(index = 0): string {
  return `13800${String(index).padStart(6, "0")}`;
}

/** Returns the code of the latest SMS. */
export function lastCode({ host }: Pick<Service, "host">): string {
  const message = host.smsSender.messages.at(-1);
  if (message === undefined) throw new Error("No message was sent.");
  return message.authCode;
}

/** Returns a code that differs from `code`. */
export function wrongCode(code: string): string {
  return `${code.startsWith("0") ? "1" : "0"}${code.slice(1)}`;
}

/** Requests a code and returns it. Fails the test if no code is sent. */
export async function codeFor(service: Service, caller: Caller, mobileNo: string): Promise<string> {
  const answer = await caller.get("/sms.json", { mobileNo });
  expect(answer.json).toMatchObject({ code: 0, msg: "success", data: "ok" });
  return lastCode(service);
}

/** Logs a customer in. Fails the test if the login fails. */
export async function loggedIn(service: Service, caller: Caller, mobileNo: string) {
  const authCode = await codeFor(service, caller, mobileNo);
  const answer = await caller.post("/auth.json", { mobileNo, authCode });
  expect(answer.json).toMatchObject({ code: 0, msg: "success" });
  return { customerId: textAt(answer.data, "customerId"), token: textAt(answer.data, "token") };
}
