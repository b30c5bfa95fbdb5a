import assert from "node:assert/strict";
import { z } from "zod";
import { freePort } from "@tillkit/local-postgres";
import { root } from "@tillkit/repository";
import { bundle } from "./bundle.js";
import { asInstalled } from "./install.js";
import { withServer } from "./with-server.js";

/** The program of the host. */
export const SANDBOX_HOST = `${root}scripts/adoption/projects/fastify-postgres/host.ts`;
const PACKAGES = ["alipay", "core", "fastify", "host", "postgres", "runtime", "sandbox", "wechat-pay"];
/** The packages of this repository that the host needs. */
export const SANDBOX_HOST_PACKAGES = PACKAGES.map((name) => `@tillkit/${name}`);
/** The other packages that the host needs, with versions. */
export const SANDBOX_HOST_OTHERS = ["fastify", "pg"].map(asInstalled);

/** Builds the host into `folder`, which has its packages. */
export function buildSandboxHost(folder: string): Promise<void> {
  return bundle(SANDBOX_HOST, `${folder}/sandbox-host.mjs`);
}

/**
 * Runs the built host in `folder` and takes a sandbox payment at each wallet.
 *
 * @param args - what comes before the file of the host.
 */
export async function paySandboxHost(
  folder: string,
  databaseUrl: string,
  command: string,
  args: readonly string[] = [],
): Promise<void> {
  const env = { PORT: String(await freePort()), DATABASE_URL: databaseUrl };
  await withServer(command, [...args, "sandbox-host.mjs"], folder, takePayments, env);
}

const credentials = z.object({ appId: z.string(), appSecret: z.string() });
const answer = z.object({
  code: z.literal(0),
  data: z.object({ id: z.string(), paymentStatus: z.string() }).partial(),
});

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
