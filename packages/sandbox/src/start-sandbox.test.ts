import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@tillkit/built-program";
import { testWalletKeys } from "@tillkit/test-keys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startSandbox } from "./index.js";
import { walletASender } from "./testing/wechat-pay-client.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-process-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const factsShape = z.looseObject({
  control: z.string(),
  addresses: z.object({ walletA: z.string(), walletB: z.string() }),
  merchant: z.looseObject({
    walletA: z.object({
      mchid: z.string(),
      appid: z.string(),
      appSecret: z.string(),
      merchantPrivateKey: z.string(),
      merchantSerialNo: z.string(),
      apiV3Key: z.string(),
      walletCertificate: z.string(),
      walletSerialNo: z.string(),
      walletPublicKey: z.string(),
      walletPublicKeyId: z.string(),
    }),
  }),
});

const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";

describe("startSandbox", () => {
  it("serves the control interface and writes a private facts file for the host", async () => {
    const factsFile = join(folder, "deep", "sandbox.json");
    const sandbox = await startSandbox({ factsFile, keys: testWalletKeys, payToolsFolder: folder });
    try {
      for (const [name, tool] of [
        ["wallet-a.json", sandbox.payTools.WALLET_A],
        ["wallet-b.json", sandbox.payTools.WALLET_B],
      ] as const) {
        expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual(tool);
        expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
      }
      const facts = factsShape.parse(JSON.parse(readFileSync(factsFile, "utf8")));
      expect(statSync(factsFile).mode & 0o077).toBe(0);
      expect(facts).toMatchObject({
        control: sandbox.controlUrl,
        addresses: sandbox.addresses,
        payTools: sandbox.payTools,
      });
      const wallets = await fetch(`${facts.control}/wallets`);
      expect(await wallets.json()).toEqual(sandbox.addresses);
      const keys = await (await fetch(`${facts.control}/keys`)).text();
      expect(keys).not.toContain("PRIVATE");
      expect((await fetch(`${facts.control}/pay`, { method: "POST", body: "{}" })).status).toBe(400);
      expect((await fetch(`${facts.control}/sms?mobileNo=1`)).status).toBe(200);
    } finally {
      await sandbox.close();
    }
    await expect(fetch(`${sandbox.controlUrl}/wallets`)).rejects.toThrow();
  });
});

it("startSandbox changes the facts file that a symbolic link points to", async () => {
  const [target, factsFile] = [join(folder, "target.json"), join(folder, "sandbox.json")];
  writeFileSync(target, "before");
  symlinkSync("target.json", factsFile);
  const sandbox = await startSandbox({ factsFile, keys: testWalletKeys });
  try {
    expect(lstatSync(factsFile).isSymbolicLink()).toBe(true);
    expect(factsShape.parse(JSON.parse(readFileSync(target, "utf8"))).control).toBe(sandbox.controlUrl);
  } finally {
    await sandbox.close();
  }
});

describe("the sandbox in a separate process", () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill("SIGKILL");
  });

  it.for([
    { args: ["--help"], env: {}, status: 0, text: /^Runs both simulated wallets/ },
    { args: ["--bogus"], env: {}, status: 1, text: /^Unknown argument "--bogus"\. See the settings: / },
    { args: [], env: { PORT: "65536" }, status: 1, text: /^PORT must be a whole number from 0 to 65535\./ },
  ])("answers $args with $env and ends with $status", async ({ args, env, status, text }) => {
    const main = await builtProgram(new URL("main.ts", import.meta.url));
    const ended = spawnSync(process.execPath, [main, ...args], {
      env: { ...process.env, NODE_ENV: "test", DATA_DIR: folder, ...env },
      encoding: "utf8",
    });
    expect([ended.status, ended.stdout + ended.stderr]).toEqual([status, expect.stringMatching(text)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("acknowledges only what survives a kill of the process", async () => {
    const main = await builtProgram(new URL("main.ts", import.meta.url));
    const env = { ...process.env, NODE_ENV: "test", PORT: "0", DATA_DIR: folder };
    const started = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    for await (const line of createInterface({ input: started.stdout }))
      if (line.startsWith("control ")) break;
    const facts = factsShape.parse(JSON.parse(readFileSync(join(folder, "sandbox.json"), "utf8")));
    const { walletA } = facts.merchant;
    const order = {
      appid: walletA.appid,
      mchid: walletA.mchid,
      description: "VIP",
      out_trade_no: NUMBER,
      notify_url: "http://127.0.0.1:8787/n",
      amount: { total: 600 },
    };
    const send = walletASender(facts.addresses.walletA, walletA, Date.now);
    const target = "/v3/pay/transactions/app";
    expect((await send({ method: "POST", target, body: JSON.stringify(order) })).status).toBe(200);
    started.kill("SIGKILL");
    await once(started, "exit");

    const next = await startSandbox({ stateFile: join(folder, "state.jsonl") });
    try {
      expect(next.merchant.walletA).toEqual(walletA);
      const result = await fetch(`${next.controlUrl}/orders/${NUMBER}`);
      expect(await result.json()).toEqual({
        outTradeNo: NUMBER,
        state: "NOTPAY",
        amount: 600,
        prepayCount: 1,
      });
    } finally {
      await next.close();
    }
  });
});
