import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { systemClock } from "@tillkit/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type DevHost, startDevHost } from "../dev/start-dev-host.js";
import { run } from "../run.js";
import { installedWallets } from "../wallets.js";

const answer = z.object({ code: z.literal(0), data: z.unknown() });
const detail = z.object({ id: z.string(), paymentStatus: z.string() });

let dataDir: string;
let host: DevHost;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tillkit-sandbox-"));
  host = await startDevHost({ port: 0, dataDir, print: () => undefined });
}, 300_000);
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true });
});

/** Runs `tillkit sandbox` with the folder of the host, or with other options. */
async function sandbox(argv: readonly string[], where: readonly string[] = ["--data-dir", dataDir]) {
  const output = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof output) =>
    new PassThrough().setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  const code = await run(["sandbox", ...argv, ...where], {
    stdin: Readable.from([]),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    env: {},
    clock: systemClock,
    openWallets: installedWallets,
  });
  return { code, ...output };
}

async function call(path: string, body?: object): Promise<unknown> {
  const { baseUrl, appId, appSecret } = host.facts;
  const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  return answer.parse(await (await fetch(`${baseUrl}${path}`, init)).json()).data;
}

/** Creates an order, and returns a function that reads it. */
async function order(bizNo: string) {
  const terms = { amount: 600, goodsTitle: "One month", payChannel: "WALLET_B", customerIdentity: "user-1" };
  await call("/order.json", { bizNo, ...terms });
  return async () => detail.parse(await call(`/detail.json?bizNo=${bizNo}&customerIdentity=user-1`));
}

describe("tillkit sandbox", () => {
  it("pays, notifies and refunds an order", async () => {
    const read = await order("cli-1");
    const { id } = await read();
    expect(await sandbox(["pay", id])).toEqual({
      code: 0,
      stdout: `The order ${id} is PAID at the wallet. The host acknowledged the notification.\n`,
      stderr: "",
    });
    expect((await read()).paymentStatus).toBe("PAID");
    const byBizNo = await sandbox(["notify", "cli-1", "--json"]);
    expect(JSON.parse(byBizNo.stdout)).toEqual({ outTradeNo: id, delivered: 1, acknowledged: 1 });
    const again = await sandbox(["notify", id, "--times", "2", "--json"]);
    expect(JSON.parse(again.stdout)).toEqual({ outTradeNo: id, delivered: 2, acknowledged: 2 });
    const forged = await sandbox(["notify", id, "--as", "forged", "--json"]);
    expect(JSON.parse(forged.stdout)).toMatchObject({ delivered: 1, acknowledged: 0 });
    const part = await sandbox(["refund", "cli-1", "--amount", "100"]);
    expect(part.stdout).toMatch(/^BIZ NO .*\ncli-1 .* ¥1\.00 /);
    expect((await sandbox(["refund", "cli-1"])).code).toBe(0);
    expect((await read()).paymentStatus).toBe("REFUND");
  });

  it("sets, lists and clears faults", async () => {
    expect((await sandbox(["fault"])).stdout).toBe("There are no faults.\n");
    await sandbox(["fault", "WALLET_B.notify", "drop", "--times", "9"]);
    await sandbox(["fault", "wallet_a.prepay", "500"]);
    await sandbox(["fault", "WALLET_A.shipment", "10060001"]);
    const { stdout } = await sandbox(["fault", "sms", "reject"]);
    for (const row of [/^WALLET_B\.notify +drop \(\d more\)$/m, /^WALLET_A\.prepay +500$/m, /^sms +reject$/m])
      expect(stdout).toMatch(row);
    expect(stdout).toMatch(/^WALLET_A\.shipment +10060001$/m);
    await order("cli-2");
    expect((await sandbox(["pay", "cli-2"])).stdout).toMatch(
      /^The order [0-9A-Z]{26} is PAID .* did not acknowledge the notification: the fault drop .*\.\n$/,
    );
    expect((await sandbox(["notify", "cli-2"])).stdout).toMatch(
      /acknowledged 0\. The reason: the fault drop /,
    );
    for (const wallet of ["WALLET_A", "WALLET_B"]) await sandbox(["fault", wallet, "none"]);
    expect((await sandbox(["fault", "sms"])).stdout).toBe("There are no faults.\n");
  });

  it("lists messages", async () => {
    expect((await sandbox(["sms"])).stdout).toBe("No messages.\n");
    await call("/sms.json?mobileNo=13800138000");
    expect((await sandbox(["sms", "--to", "13800138000"])).stdout).toMatch(
      /\n\S+Z +\+8613800138000 +\d{6}\n$/,
    );
    const others = await sandbox(["sms", "--to", "13900139000", "--json"]);
    expect(JSON.parse(others.stdout)).toEqual({ messages: [] });
  });

  it("prints what to do if the sandbox refuses, has stopped or never ran", async () => {
    const refused = await sandbox(["pay", "no-such-order"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("Give the `id` of the order in the answer of /detail.json");
    expect((await sandbox(["fault", "WALLET_A.prepay", "broken"])).code).toBe(1);
    const { baseUrl, sandbox: facts } = host.facts;
    expect((await sandbox(["fault"], ["--control", `${facts.control}/`])).code).toBe(0);
    const wrong = await sandbox(["sms"], ["--control", baseUrl]);
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain("is not the control address of a sandbox");
    const gone = await sandbox(["fault"], ["--control", "http://127.0.0.1:1"]);
    expect(gone.code).toBe(3);
    expect(gone.stderr).toMatch(/gave no answer .*Start the development host of this folder/);
    const nowhere = await sandbox(["fault"], ["--data-dir", join(dataDir, "none")]);
    expect(nowhere.code).toBe(3);
    expect(nowhere.stderr).toContain("host.json cannot be read");
    expect((await sandbox(["fault"], ["--control", "127.0.0.1"])).code).toBe(2);
  });
});
