import { createHash } from "node:crypto";
import { checkToken, logIn, sendCode } from "@tillkit/core";
import type { Row } from "../measure.js";
import { openDemoApp } from "./demo-app.js";

/** Checking a session token, compared with the hash it cannot do without. */
export async function checkRow(): Promise<Row> {
  const { ports, appId } = await openDemoApp();
  const mobileNo = "+8613800138000";
  (await sendCode(ports, appId, { mobileNo }))._unsafeUnwrap();
  const authCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
  const { token } = (await logIn(ports, appId, { mobileNo, authCode }))._unsafeUnwrap();
  return {
    contestants: [
      {
        name: "checkToken, in memory",
        once: async () => (await checkToken(ports, appId, { token }))._unsafeUnwrap(),
      },
      { name: "one SHA-256", once: () => Promise.resolve(createHash("sha256").update(token).digest("hex")) },
    ],
  };
}
