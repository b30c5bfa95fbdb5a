import { spawn } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { root } from "@tillkit/repository";
import { z } from "zod";
import { bundle } from "../lib/bundle.js";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const PROJECT = `${root}scripts/adoption/projects/documented-client`;
const OWN = ["alipay", "core", "express", "host", "memory", "runtime", "sandbox", "wechat-pay"].map(
  (name) => `@tillkit/${name}`,
);

const facts = z.object({ appId: z.string(), appSecret: z.string(), clientId: z.string() });

/** Runs a client that knows only the documented requests and the real names of a service. */
export const documentedClient: AdoptionStep = {
  name: "documented-client",
  shows: "a client of the documented service works unchanged, with its real store and channel names",
  run: async ({ folder, tarballs }) => {
    await install(folder, tarballs, OWN, [asInstalled("express")]);
    await bundle(`${PROJECT}/host.ts`, `${folder}/host.mjs`);
    await copyFile(`${PROJECT}/client.js`, `${folder}/client.js`);
    let payments = 0;
    await withServer(process.execPath, ["host.mjs"], folder, async (url, output) => {
      const { appId, appSecret, clientId } = facts.parse(JSON.parse(/\{.*\}/u.exec(output)?.[0] ?? ""));
      const args = ["client.js", `${url}/pay`, url, appId, appSecret, clientId];
      payments = await runClient(folder, args, async (payload) => {
        const headers = { "content-type": "application/json" };
        const paid = await fetch(`${url}/sandbox/pay`, {
          method: "POST",
          headers,
          body: `{"payload":${payload}}`,
        });
        if (!paid.ok) throw new Error(`The wallet refused the payment: ${await paid.text()}`);
      });
    });
    return `the client made every documented request, and ${payments} payments`;
  },
};

/**
 * Runs the client, and pays in the place of the customer what it hands to the wallet app.
 *
 * @returns the number of payments.
 */
async function runClient(
  folder: string,
  args: readonly string[],
  pay: (payload: string) => Promise<void>,
): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let payments = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, payload] = /^wallet (\{.*\})$/u.exec(line) ?? [];
    if (payload === undefined) continue;
    await pay(payload);
    payments += 1;
  }
  const code = await ended;
  if (code !== 0) throw new Error(`The client ended with ${code}.`);
  return payments;
}
