import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

/** Creates a Twilio sender, and prints the error if it cannot. */
const PROGRAM = `
import { failover } from "@tillkit/sms";
import { twilioSmsSender } from "@tillkit/sms/twilio";
const options = { accountSid: "AC1", authToken: "t", sender: { from: "+1" }, text: "{code}" };
try {
  console.log(typeof failover([await twilioSmsSender(options)]).send);
} catch (thrown) {
  console.log(thrown.message);
}
`;

/** Creates an SMS sender without its SDK, and with it. */
export const sms: AdoptionStep = {
  name: "sms",
  shows: "a missing SMS SDK is named, and an installed one works",
  run: async ({ folder, tarballs }) => {
    const run = async () => (await runOrThrow(process.execPath, ["program.js"], folder)).trim();
    await install(folder, tarballs, ["@tillkit/sms"]);
    await writeFile(`${folder}/program.js`, PROGRAM);
    const without = await run();
    assert.match(without, /Run: npm install twilio$/);
    await install(folder, tarballs, ["@tillkit/sms"], [asInstalled("twilio")]);
    assert.equal(await run(), "function");
    return `without the SDK: ${without}`;
  },
};
