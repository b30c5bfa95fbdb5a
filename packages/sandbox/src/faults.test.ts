import { createServer, type Server } from "node:http";
import { createDecipheriv, createPublicKey, createSign, verify } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FORGERIES, createFaultSettings } from "./faults.js";
import { openSandbox, type Sandbox } from "./index.js";
import { beijing } from "./testing/beijing.js";
import { envelope } from "./testing/json.js";
import { walletASender } from "./testing/wechat-pay-client.js";
import { callControl, postControl } from "./testing/call-control.js";

const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";
const QUERY = `/v3/pay/transactions/out-trade-no/${NUMBER}?mchid=1900000109`;
let sandbox: Sandbox;
let received: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[];
beforeEach(async () => {
  received = [];
  sandbox = await openSandbox({
    keys,
    deliver: ({ headers, body }) => {
      received.push({ headers, body });
      return Promise.resolve({ status: 200, body: "success" });
    },
  });
});
afterEach(() => sandbox.close());

async function control(
  path: string,
  input: object,
): Promise<{ readonly status: number; readonly body: string }> {
  return postControl(sandbox, path, input);
}

/** The outcome of a wallet call for its client: a response, silence or a cut connection. */
type Seen = { readonly status: number; readonly headers: Headers; readonly text: string } | "silence" | "cut";

async function seen(answer: Promise<Response>): Promise<Seen> {
  try {
    const response = await answer;
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (failure) {
    return failure instanceof Error && failure.name === "AbortError" ? "silence" : "cut";
  }
}

/** Milliseconds that a test waits for a response before it counts as silence. */
const PATIENCE = 200;

function prepayA(signal?: AbortSignal): Promise<Seen> {
  const { walletA } = sandbox.merchant;
  const body = JSON.stringify({
    appid: walletA.appid,
    mchid: walletA.mchid,
    description: "VIP",
    out_trade_no: NUMBER,
    notify_url: "http://127.0.0.1:8787/n",
    amount: { total: 600 },
  });
  const timestamp = String(Math.floor(sandbox.clock.now() / 1000));
  const lines = `POST\n/v3/pay/transactions/app\n${timestamp}\nnonce\n${body}\n`;
  const signature = createSign("RSA-SHA256").update(lines).sign(walletA.merchantPrivateKey, "base64");
  return seen(
    fetch(`${sandbox.addresses.walletA}/v3/pay/transactions/app`, {
      method: "POST",
      redirect: "manual",
      signal: signal ?? null,
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        authorization: `WECHATPAY2-SHA256-RSA2048 mchid="${walletA.mchid}",nonce_str="nonce",timestamp="${timestamp}",serial_no="${walletA.merchantSerialNo}",signature="${signature}"`,
      },
      body,
    }),
  );
}

function prepayB(signal?: AbortSignal): Promise<Seen> {
  const parameters: Record<string, string> = {
    app_id: "2014072300007148",
    biz_content: JSON.stringify({ out_trade_no: NUMBER, subject: "VIP", total_amount: "6.00" }),
    charset: "utf-8",
    method: "alipay.trade.precreate",
    notify_url: "http://127.0.0.1:8787/n",
    sign_type: "RSA2",
    timestamp: beijing(sandbox.clock.now()),
    version: "1.0",
  };
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const sign = createSign("RSA-SHA256").update(text).sign(keys.walletB.app.privateKey, "base64");
  return seen(
    fetch(sandbox.addresses.walletB, {
      method: "POST",
      redirect: "manual",
      signal: signal ?? null,
      body: new URLSearchParams({ ...parameters, sign }),
    }),
  );
}

/** Returns whose valid signature a response has, or `invalid`. */
function signedBy({ headers, text }: Exclude<Seen, string>): "wallet" | "retired" | "unsigned" | "invalid" {
  const [, node = "", inBody] = /^\{"\w+_response":(\{.*?\})(?:,"sign":"([^"]+)")?\}\s*$/.exec(text) ?? [];
  const atA = headers.has("request-id");
  const signature = atA ? headers.get("wechatpay-signature") : inBody;
  if (signature === null || signature === undefined) return "unsigned";
  const part = (name: string) => headers.get(`wechatpay-${name}`) ?? "";
  const covered = atA ? `${part("timestamp")}\n${part("nonce")}\n${text}\n` : node;
  const proves = (pem: string) =>
    verify("RSA-SHA256", Buffer.from(covered), createPublicKey(pem), Buffer.from(signature, "base64"));
  if (proves(atA ? keys.walletA.wallet.publicKey : keys.walletB.wallet.publicKey)) return "wallet";
  return proves(keys.retired.publicKey) ? "retired" : "invalid";
}

const WALLETS = [
  ["walletA", prepayA, "SYSTEM_ERROR", "FREQUENCY_LIMITED", "NO_AUTH"],
  ["walletB", prepayB, "isp.unknow-error", "isv.app-call-limited", "ACQ.ACCESS_FORBIDDEN"],
] as const;

for (const [wallet, prepay, failed, busy, refused] of WALLETS) {
  describe(`a faulty call to ${wallet}`, () => {
    const taken = () => sandbox.simulatorControls.order(NUMBER).isOk();
    const describeIn = (answer: Seen) =>
      typeof answer === "string" ? answer : `${answer.status} ${answer.text.slice(0, 400)}`;
    const httpOf = (status: number) => (wallet === "walletA" ? status : 200);

    const cases: readonly [string, boolean, (answer: Seen) => void][] = [
      ["hang", false, (answer) => expect(answer).toBe("silence")],
      ["timeout", true, (answer) => expect(answer).toBe("silence")],
      ["reset", false, (answer) => expect(answer).toBe("cut")],
      ["reset-after", true, (answer) => expect(answer).toBe("cut")],
      ["truncated", true, (answer) => expect(answer).toBe("cut")],
      ["slow", true, (answer) => expect(answer).toBe("silence")],
      ["429", false, (answer) => expect(describeIn(answer)).toContain(busy)],
      ["500", false, (answer) => expect(describeIn(answer)).toContain(failed)],
      ["500-after", true, (answer) => expect(describeIn(answer)).toContain(failed)],
      ["reject", false, (answer) => expect(describeIn(answer)).toContain(refused)],
      ["html", false, (answer) => expect(describeIn(answer)).toMatch(/^502 <html>/)],
      ["redirect", false, (answer) => expect(describeIn(answer)).toMatch(/^302 /)],
      ["unsigned", true, (answer) => expect(signature(answer)).toBe("unsigned")],
      ["bad-signature", true, (answer) => expect(signature(answer)).toBe("invalid")],
      ["retired-key", true, (answer) => expect(signature(answer)).toBe("retired")],
      [
        "oversized",
        true,
        (answer) => expect(typeof answer === "string" ? 0 : answer.text.length).toBeGreaterThan(4_000_000),
      ],
    ];
    const SILENT = new Set(["hang", "timeout", "slow"]);
    const signature = (answer: Seen) => (typeof answer === "string" ? answer : signedBy(answer));

    it.each(cases)("%s; the wallet executes the call: %s", async (fault, done, check) => {
      await control("/faults", { [wallet]: { prepay: { fault, times: 1 } } });
      const client = new AbortController();
      const answer = prepay(client.signal);
      const board = async (): Promise<unknown> => JSON.parse((await control("/faults", {})).body);
      await expect.poll(board).toMatchObject({ [wallet]: { prepay: null } });
      if (SILENT.has(fault)) setTimeout(() => client.abort(), PATIENCE);
      check(await answer);
      await expect.poll(taken).toBe(done);
      const mended = await prepay();
      expect(signature(mended)).toBe("wallet");
      expect(describeIn(mended)).toMatch(/^200 /);
      // The lost prepayment is the one that the wallet returns now.
      expect(orThrow(sandbox.simulatorControls.order(NUMBER)).prepayCount).toBe(1);
    });

    it("responds with the HTTP status of the wallet: WALLET_B's gateway always responds with 200", async () => {
      for (const [fault, status] of [
        ["429", 429],
        ["500", 500],
      ] as const) {
        await control("/faults", { [wallet]: { prepay: fault } });
        const answer = await prepay();
        expect(typeof answer === "string" ? answer : answer.status).toBe(httpOf(status));
        expect(signature(answer)).toBe("wallet");
      }
    });

    it("applies only to the named call, for the given number of times", async () => {
      const { body } = await control("/faults", {
        [wallet]: { prepay: { fault: "500", times: 2 }, query: "500" },
      });
      expect(JSON.parse(body)).toMatchObject({ [wallet]: { prepay: { fault: "500", times: 2 } } });
      const answers = [await prepay(), await prepay(), await prepay()].map((answer) =>
        describeIn(answer).includes(failed),
      );
      expect(answers).toEqual([true, true, false]);
    });
  });
}

describe("a false notification", () => {
  const paidAt = async (wallet: "walletA" | "walletB") => {
    await (wallet === "walletA" ? prepayA() : prepayB());
    expect(await orThrow(sandbox.simulatorControls.pay(NUMBER))).toMatchObject({ notified: true });
    received.length = 0;
  };

  /** Returns how a correctly verifying service judges the last notification. */
  function judged(): string {
    const { headers, body } = received.at(-1)!;
    const part = (name: string) => headers[`wechatpay-${name}`] ?? "";
    if (part("signature") === "") return judgedForm(Object.fromEntries(new URLSearchParams(body)));
    const key = createPublicKey(
      sandbox.keys.walletA.walletPublicKeys[part("serial")] ?? keys.retired.publicKey,
    );
    const lines = `${part("timestamp")}\n${part("nonce")}\n${body}\n`;
    if (part("signature").startsWith("WECHATPAY/SIGNTEST/")) return "probe";
    if (!verify("RSA-SHA256", Buffer.from(lines), key, Buffer.from(part("signature"), "base64")))
      return "invalid";
    if (Math.abs(sandbox.clock.now() / 1000 - Number(part("timestamp"))) > 300) return "stale";
    const { resource } = envelope(body);
    const sealed = Buffer.from(resource.ciphertext, "base64");
    const decipher = createDecipheriv("aes-256-gcm", keys.walletA.apiV3Key, resource.nonce);
    decipher.setAAD(Buffer.from(resource.associated_data));
    decipher.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString("utf8");
    if (!text.includes('"total":600,')) return "wrong-amount";
    if (!text.includes('"appid":"wxd678efh567hg6787"')) return "wrong-app";
    return text.includes('"mchid":"1900000109"') ? "genuine" : "wrong-merchant";
  }

  function judgedForm({ sign = "", sign_type: _type, ...rest }: Record<string, string>): string {
    const names = Object.keys(rest).sort();
    const text = names.map((name) => `${name}=${rest[name] ?? ""}`).join("&");
    const trusted = verify(
      "RSA-SHA256",
      Buffer.from(text),
      keys.walletB.wallet.publicKey,
      Buffer.from(sign, "base64"),
    );
    if (!trusted) return "invalid";
    if (
      Date.parse(`${(rest["notify_time"] ?? "").replace(" ", "T")}+08:00`) <
      sandbox.clock.now() - 86_400_000
    )
      return "stale";
    if (rest["total_amount"] !== "6.00") return "wrong-amount";
    if (rest["app_id"] !== "2014072300007148") return "wrong-app";
    return rest["seller_id"] === "2088102119685838" ? "genuine" : "wrong-merchant";
  }

  for (const wallet of ["walletA", "walletB"] as const) {
    const alone = FORGERIES.filter(
      (as) => as !== "other-payment" && (wallet === "walletA" || as !== "probe"),
    );
    it.each(alone)(`${wallet} sends on command: %s`, async (as) => {
      await paidAt(wallet);
      const { body } = await control("/notify", { outTradeNo: NUMBER, as });
      expect(JSON.parse(body)).toEqual({
        outTradeNo: NUMBER,
        delivered: 1,
        acknowledged: 0,
        why: `it was false (${as}), so its answer does not count`,
      });
      expect(judged()).toBe(as === "forged" || as === "tampered" ? "invalid" : as);
      await control("/notify", { outTradeNo: NUMBER });
      expect(judged()).toBe("genuine");
    });
  }

  it("cannot be a probe of WALLET_B, which sends none", async () => {
    await paidAt("walletB");
    expect((await control("/notify", { outTradeNo: NUMBER, as: "probe" })).status).toBe(409);
    expect((await control("/faults", { walletB: { notify: "probe" } })).status).toBe(400);
    expect((await control("/faults", { walletB: { notify: { fault: "probe", times: 1 } } })).status).toBe(
      400,
    );
  });

  it("is followed by the genuine notification at the next scheduled time", async () => {
    await prepayA();
    await control("/faults", { walletA: { notify: { fault: "probe", times: 1 } } });
    expect(await orThrow(sandbox.simulatorControls.pay(NUMBER))).toMatchObject({ notified: false });
    expect(judged()).toBe("probe");
    await control("/clock", { advanceMs: 15_000 });
    expect(judged()).toBe("genuine");
    const reply = await callControl(sandbox, "GET", `/notifications?outTradeNo=${NUMBER}`);
    expect(JSON.parse(reply.body)).toMatchObject([
      { as: "probe", status: 200, acknowledged: false },
      { as: null, status: 200, acknowledged: true },
    ]);
  });
});

describe("the fault settings", () => {
  it("removes a fault after the given number of times, and keeps one without a number", () => {
    const board = createFaultSettings();
    board.change({ walletA: { close: { fault: "reset", times: 1 }, notify: "drop" } });
    expect([board.takeCall("walletA", "close"), board.takeCall("walletA", "close")]).toEqual(["reset", null]);
    expect([board.takeNotify("walletA"), board.takeNotify("walletA")]).toEqual(["drop", "drop"]);
    expect(board.takeNotify("walletB")).toBeNull();
  });
});

describe("a server of a wallet", () => {
  it("fails if its port is in use, and frees its port when it closes", async () => {
    const port = Number(new URL(sandbox.addresses.walletA).port);
    await expect(openSandbox({ keys, ports: { WALLET_A: port } })).rejects.toThrow("EADDRINUSE");
    await sandbox.close();
    const next: Server = createServer();
    await new Promise<void>((resolve) => next.listen(port, "127.0.0.1", resolve));
    await new Promise((resolve) => next.close(resolve));
    sandbox = await openSandbox({ keys });
  });

  it("rejects a body above its limit", async () => {
    const response = await fetch(`${sandbox.addresses.walletA}/v3/pay/transactions/app`, {
      method: "POST",
      body: "x".repeat(65 * 1024),
    }).catch(() => undefined);
    expect(response === undefined || response.status === 413).toBe(true);
  });

  it("rejects an unsigned request under every fault", async () => {
    const send = walletASender(sandbox.addresses.walletA, sandbox.merchant.walletA, () =>
      sandbox.clock.now(),
    );
    await control("/faults", { walletA: { prepay: "unsigned" } });
    await send(
      { method: "POST", target: "/v3/pay/transactions/app", body: "{}" },
      { privateKey: keys.retired.privateKey },
    );
    expect((await send({ method: "GET", target: QUERY })).status).toBe(404);
  });
});
