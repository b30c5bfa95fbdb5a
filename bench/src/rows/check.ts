import { createHash } from "node:crypto";
import { checkToken, logIn, orThrow, sendCode } from "@tillkit/core";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { openDemoApp } from "./demo-app.js";

/** Measures the check of a session token, compared with the hash that it needs. */
export async function checkRow(): Promise<BenchRow> {
  const { ports, appId } = await openDemoApp();
  const mobileNo = "+8613800138000";
  await orThrow(sendCode(ports, appId, { mobileNo }));
  const authCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
  const { token } = await orThrow(logIn(ports, appId, { mobileNo, authCode }));
  return {
    work: "checking a session token, everything in memory",
    contestants: [
      inProcess({
        name: "checkToken, in memory",
        role: "ours",
        once: async () => await orThrow(checkToken(ports, appId, { token })),
      }),
      inProcess({
        name: "one SHA-256",
        role: "limit",
        once: () => Promise.resolve(createHash("sha256").update(token).digest("hex")),
      }),
    ],
    targets: [],
  };
}
