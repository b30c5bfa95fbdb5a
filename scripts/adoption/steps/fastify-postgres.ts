import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { z } from "zod";
import { root } from "../../lib/packages.js";
import { bundle } from "../lib/bundle.js";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const PROGRAM = `${root}scripts/adoption/projects/fastify-postgres/host.ts`;
const OWN = ["alipay", "core", "fastify", "host", "postgres", "runtime", "sandbox", "wechat-pay"];
/** The most lines that the program of the host may have. */
const MOST_LINES = 40;

const credentials = z.object({ appId: z.string(), appSecret: z.string() });
const answer = z.object({
  code: z.literal(0),
  data: z.object({ id: z.string(), paymentStatus: z.string() }).partial(),
});

/** Runs a host of at most 40 lines on Fastify and PostgreSQL, and takes a sandbox payment there. */
export const fastifyPostgres: AdoptionStep = {
  name: "fastify-postgres",
  shows: `a host of at most ${MOST_LINES} lines takes a sandbox payment at each wallet`,
  run: async ({ folder, tarballs, createDatabase }) => {
    const lines = (await readFile(PROGRAM, "utf8")).trimEnd().split("\n").length;
    assert.ok(lines <= MOST_LINES, `${PROGRAM} has ${lines} lines`);
    const own = OWN.map((name) => `@tillkit/${name}`);
    await install(folder, tarballs, own, ["fastify", "pg"].map(asInstalled));
    await bundle(PROGRAM, `${folder}/host.mjs`);
    const env = { PORT: String(await freePort()), DATABASE_URL: await createDatabase() };
    await withServer(process.execPath, ["host.mjs"], folder, takePayments, env);
    return `${lines} lines of TypeScript took a payment at WALLET_A and at WALLET_B`;
  },
};

async function takePayments(baseUrl: string, output: string): Promise<void> {
  const { appId, appSecret } = credentials.parse(JSON.parse(/\{.*\}/u.exec(output)?.[0] ?? ""));
  const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
  const send = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${baseUrl}${path}`, init)).json();
  };
  for (const payChannel of ["WALLET_A", "WALLET_B"]) {
    const purchase = { bizNo: `buy-${payChannel}`, customerIdentity: "user-1" };
    const read = async () =>
      answer.parse(await send(`/pay/detail.json?${String(new URLSearchParams(purchase))}`)).data;
    answer.parse(await send("/pay/order.json", { ...purchase, amount: 600, goodsTitle: "A", payChannel }));
    const { id, paymentStatus } = await read();
    assert.equal(paymentStatus, "PENDING");
    await send("/sandbox/pay", { outTradeNo: id });
    assert.equal((await read()).paymentStatus, "PAID");
  }
}

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
