import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { ServiceEvent } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { describe, expect, it } from "vitest";
import {
  account,
  credentials,
  MODERN_ID,
  NOW,
  PLATFORM_SERIAL,
  platform,
  platformCertificate,
} from "../testing/keys.js";
import { textContaining } from "../testing/text-containing.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, request } from "../testing/requests.js";
import {
  type ResponseProof,
  signedHeaders,
  type WireCall,
  type WireHandler,
} from "../testing/wechat-wire.js";
import { wechatPayWallet } from "../wechat-pay-wallet.js";

const GOOD = '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}';
const good = { status: 200, body: GOOD };

async function failureOf(part: WireHandler, deadline = LIMITS.deadline) {
  const { wallet } = await openWallet(part, { maxAnswerBytes: 1_000 });
  return expectFailure(wallet.prepare(account, request, { deadline }));
}

/** Writes a response directly, without the test server's reply. */
const raw = (write: (response: ServerResponse) => void): WireHandler => {
  return (_call, response) => {
    write(response);
    return undefined;
  };
};

describe("a signed response", () => {
  it.each(["certificate", "public-key"] as const)(
    "is trusted if WeChat Pay signed it with this kind of key: %s",
    async (proof) => {
      const { wallet, wire } = await openWallet(() => ({ ...good, proof }));
      const prepayment = await expectOk(wallet.prepare(account, request, LIMITS));
      expect(prepayment.values).toEqual({ code_url: "weixin://wxpay/bizpayurl?pr=1" });
      expect(wire.refused).toEqual([]);
    },
  );

  it("is requested with the account's first PUB_KEY_ID, or without an id if the account has none", async () => {
    const calls: WireCall[] = [];
    const { wallet } = await openWallet((call) => {
      calls.push(call);
      return good;
    });
    await expectOk(wallet.prepare(account, request, LIMITS));
    const platformKeys = JSON.stringify({ [PLATFORM_SERIAL]: platformCertificate });
    await expectOk(
      wallet.prepare({ ...account, credentials: { ...credentials, platformKeys } }, request, LIMITS),
    );
    expect(calls.map(({ headers }) => headers["wechatpay-serial"])).toEqual([MODERN_ID, undefined]);
  });

  it("must contain what was requested", async () => {
    for (const body of ["{}", '{"code_url":""}', '{"code_url":1}', "[]", ""])
      expect(await failureOf(() => ({ status: 200, body }))).toMatchObject({
        name: "wallet.unknown",
        cause: "unverified",
        detail: textContaining("no readable prepayment"),
      });
  });
});

describe("the clock of the host", () => {
  async function measured(part: WireHandler): Promise<readonly ServiceEvent[]> {
    const events: ServiceEvent[] = [];
    const observer = { onEvent: (event: ServiceEvent) => void events.push(event) };
    const { wallet } = await openWallet(part, { observer });
    await wallet.prepare(account, request, LIMITS);
    return events;
  }
  const off = (skewMs: number) => [
    { type: "clock.measured", payChannel: "WALLET_A", appEnv: "DEV", skewMs },
    { type: "clock.off", payChannel: "WALLET_A", appEnv: "DEV", skewMs },
  ];
  const date = (ahead: number) => new Date(NOW - ahead).toUTCString();
  /** A date has whole seconds, so half a second is added to it. */
  const rest = (NOW % 1_000) - 500;

  it("is measured by the time that WeChat Pay signed", async () => {
    expect(await measured(() => good)).toEqual(off(rest).slice(0, 1));
  });

  it("is measured by the date of a response that is not signed", async () => {
    const unsigned = (status: number, ahead: number) =>
      raw((response) => {
        response.writeHead(status, { date: date(ahead) }).end('{"code":"SIGN_ERROR"}');
      });
    expect(await measured(unsigned(401, 400_000))).toEqual(off(400_000 + rest));
    expect(await measured(unsigned(200, -83_000))).toEqual(off(-83_000 + rest));
  });

  it("is measured also if the response is refused because of its time", async () => {
    const [first, second] = await measured(() => ({ ...good, proof: "stale" }));
    expect([first?.type, second?.type]).toEqual(["clock.measured", "clock.off"]);
  });

  it("is not measured by a response without a readable time", async () => {
    const undated = raw((response) => {
      response.sendDate = false;
      response.writeHead(500).end();
    });
    expect(await measured(undated)).toEqual([]);
    expect(await measured(raw((response) => response.destroy()))).toEqual([]);
  });
});

describe("headers of the host", () => {
  it("are added to a call, and never replace those of the adapter", async () => {
    const calls: WireCall[] = [];
    const { wallet, wire } = await openWallet(
      (call) => {
        calls.push(call);
        return good;
      },
      {
        requestHeaders: () => ({ traceparent: "00-1", Authorization: "none", "Content-Type": "text/plain" }),
      },
    );
    await expectOk(wallet.prepare(account, request, LIMITS));
    expect(calls.map(({ headers }) => headers)).toMatchObject([
      {
        traceparent: "00-1",
        authorization: textContaining("WECHATPAY2-SHA256-RSA2048 "),
        "content-type": "application/json",
      },
    ]);
    expect(wire.refused).toEqual([]);
  });

  it("are those of the caller, also if the call had to wait", async () => {
    const caller = new AsyncLocalStorage<string>();
    const pairs: (readonly [unknown, unknown])[] = [];
    const { wallet } = await openWallet(
      ({ headers, body }) => {
        pairs.push([headers["x-caller"], body]);
        return good;
      },
      { maxConcurrent: 1, requestHeaders: () => ({ "x-caller": caller.getStore() ?? "none" }) },
    );
    const names = ["caller-one", "caller-two", "caller-three"];
    await Promise.all(
      names.map((outTradeNo) =>
        caller.run(outTradeNo, () => expectOk(wallet.prepare(account, { ...request, outTradeNo }, LIMITS))),
      ),
    );
    expect(pairs).toEqual(names.map((name) => [name, textContaining(`"out_trade_no":"${name}"`)]));
  });
});

describe("a response without a valid signature", () => {
  const proofs = [
    ["none", "is not signed"],
    ["stranger", "is not that of WeChat Pay"],
    ["other-body", "is not that of WeChat Pay"],
    ["unknown-key", "add it there"],
    ["stale", "set the clock"],
    ["probe", "is a probe with an invalid signature"],
  ] as const satisfies readonly (readonly [ResponseProof, string])[];

  it.each(proofs)("leaves a success unknown: %s", async (proof, words) => {
    const failure = await failureOf(() => ({ ...good, proof }));
    expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
    expect(failure.detail).toContain(words);
  });

  it.each(proofs.slice(1))("leaves a refusal unknown: %s", async (proof) => {
    const failure = await failureOf(() => ({ status: 400, body: '{"code":"ORDERPAID"}', proof }));
    expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  });

  it("may be an unsigned refusal, as WeChat Pay sends it", async () => {
    const failure = await failureOf(() => ({ status: 400, body: '{"code":"ORDERPAID"}', proof: "none" }));
    expect(failure).toMatchObject({ name: "wallet.rejected", reason: "paid" });
  });

  it("leaves the outcome unknown if it is signed, but neither a success nor a refusal", async () => {
    for (const status of [201, 202, 301, 304])
      expect(await failureOf(() => ({ status, body: status === 304 ? "" : GOOD }))).toMatchObject({
        name: "wallet.unknown",
        cause: "unverified",
      });
  });
});

describe("a gateway that misbehaves", () => {
  const cases: readonly (readonly [string, WireHandler, string])[] = [
    ["resets the connection", raw((response) => response.destroy()), "network"],
    [
      "sends a response that is not HTTP",
      raw((response) => response.socket?.end("no HTTP\r\n\r\n")),
      "network",
    ],
    [
      "changes the protocol",
      raw((response) =>
        response.socket?.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
      ),
      "network",
    ],
    [
      "truncates its response",
      raw((response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write(GOOD, () => response.destroy());
      }),
      "network",
    ],
    [
      "sends an endless response",
      raw((response) => {
        const more = () => {
          while (response.write("x".repeat(500)));
        };
        response.on("drain", more);
        more();
      }),
      "unverified",
    ],
    ["answers 500 in HTML", () => ({ status: 500, body: "<html></html>", proof: "none" }), "server-error"],
    ["answers 502 in HTML", () => ({ status: 502, body: "<html></html>", proof: "none" }), "server-error"],
    [
      "answers 503 with an invalid signature",
      () => ({ status: 503, body: "", proof: "stranger" }),
      "server-error",
    ],
    ["answers 200 in HTML", () => ({ status: 200, body: "<html></html>", proof: "none" }), "unverified"],
    ["answers 403 in HTML", () => ({ status: 403, body: "<html></html>", proof: "none" }), "unverified"],
    [
      "is overloaded",
      () => ({ status: 429, body: '{"code":"RATELIMIT_EXCEEDED"}', proof: "none" }),
      "rate-limited",
    ],
  ];

  it.each(cases)("%s: unknown", async (_name, part, cause) => {
    expect(await failureOf(part)).toMatchObject({ name: "wallet.unknown", cause });
  });

  it("redirects, which is not followed", async () => {
    const targets: string[] = [];
    const failure = await failureOf(({ target }, response) => {
      targets.push(target);
      response.writeHead(302, { location: "/elsewhere" }).end();
      return undefined;
    });
    expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
    expect(targets).toEqual(["/base/v3/pay/transactions/native"]);
  });

  it("never completes its response, so that the deadline ends the call", async () => {
    const begun = raw((response) => {
      response.writeHead(200, { "content-length": "100", ...signedHeaders(GOOD, byCertificate) });
      response.write(GOOD.slice(0, 10));
    });
    expect(await failureOf(begun, 50)).toMatchObject({ name: "wallet.unknown", cause: "timeout" });
  });

  it("is unreachable", async () => {
    const { wallet, wire } = await openWallet(() => good);
    await wire.close();
    const failure = await expectFailure(wallet.prepare(account, request, LIMITS));
    expect(failure).toMatchObject({ cause: "network", detail: "the connection failed: ECONNREFUSED" });
  });

  it("may send a response of the maximum size, but not one byte more", async () => {
    const body = GOOD.padEnd(1_000);
    const { wallet } = await openWallet(
      ({ target }) => ({ status: 200, body: target.endsWith("app") ? `${body} ` : body }),
      {
        maxAnswerBytes: 1_000,
      },
    );
    await expectOk(wallet.prepare(account, request, LIMITS));
    const longer = await expectFailure(wallet.prepare(account, { ...request, paySource: "APP" }, LIMITS));
    expect(longer).toMatchObject({ cause: "unverified", detail: "the response is longer than 1000 bytes" });
  });
});

const byCertificate = { serial: PLATFORM_SERIAL, key: platform.privateKey, now: NOW };

describe("connections", () => {
  it("are kept open between calls", async () => {
    const { wallet, wire } = await openWallet(() => good);
    for (let times = 0; times < 3; times += 1) await expectOk(wallet.prepare(account, request, LIMITS));
    expect(wire.connections()).toBe(1);
  });

  it("that were closed before they are reused are replaced, with a new signature", async () => {
    const nonces: (string | undefined)[] = [];
    let calls = 0;
    const { wallet, wire } = await openWallet(({ headers }, response) => {
      calls += 1;
      nonces.push(headers.authorization);
      if (calls !== 2) return good;
      response.destroy();
      return undefined;
    });
    await expectOk(wallet.prepare(account, request, LIMITS));
    await expectOk(wallet.prepare(account, request, LIMITS));
    expect(wire.connections()).toBe(2);
    expect(new Set(nonces).size).toBe(3);
    expect(wire.refused).toEqual([]);
  });
});

describe("the concurrency limit of a merchant", () => {
  /** Creates a gateway that holds back every response. */
  function stored() {
    const waiting: (() => void)[] = [];
    const part: WireHandler = (_call, response) => {
      waiting.push(() => response.writeHead(200, signedHeaders(GOOD, byCertificate)).end(GOOD));
      return undefined;
    };
    const arrived = (count: number) => expect.poll(() => waiting.length).toBe(count);
    return { part, waiting, arrived };
  }

  it("runs calls up to the limit, and sends nothing beyond the queue", async () => {
    const { part, waiting, arrived } = stored();
    const { wallet } = await openWallet(part, { maxConcurrent: 1, maxQueued: 1 });
    const first = wallet.prepare(account, request, LIMITS);
    await arrived(1);
    const second = wallet.prepare(account, request, LIMITS);
    const third = await expectFailure(wallet.prepare(account, request, LIMITS));
    expect(third).toMatchObject({
      name: "wallet.unknown",
      cause: "busy",
      detail: textContaining("nothing was sent"),
    });
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    await expectOk(first);
    await arrived(2);
    waiting[1]?.();
    await expectOk(second);
  });

  it("lets calls wait until their deadline, and no longer", async () => {
    const { part, waiting, arrived } = stored();
    const { wallet } = await openWallet(part, { maxConcurrent: 1 });
    const first = wallet.prepare(account, request, LIMITS);
    await arrived(1);
    const late = await expectFailure(wallet.prepare(account, request, { deadline: 20 }));
    expect(late).toMatchObject({ cause: "timeout", detail: textContaining("nothing was sent") });
    waiting[0]?.();
    await expectOk(first);
    expect(waiting).toHaveLength(1);
  });
});

describe("an account that cannot call", () => {
  it("is rejected if its credentials do not work, without a key in the message", async () => {
    const { wallet } = await openWallet(() => good);
    const broken = { ...account, credentials: { ...credentials, apiV3Key: "secret-garbage" } };
    expect(await expectFailure(wallet.prepare(broken, request, LIMITS))).toMatchObject({
      name: "wallet.rejected",
      reason: "configuration",
      detail: "apiV3Key is not 32 visible ASCII characters; paste the APIv3 key, not the APIv2 key or a file",
    });
  });

  it("is rejected if it is DEV and there is no gateway for DEV", async () => {
    const wallet = wechatPayWallet({ clock: { now: () => NOW }, random: systemRandom });
    expect(await expectFailure(wallet.query(account, "x", LIMITS))).toMatchObject({
      name: "wallet.rejected",
      reason: "configuration",
      detail: textContaining("gateways.DEV"),
    });
    const problems = await wallet.checkAccount(account);
    expect(problems).toMatchObject([{ code: "no-gateway", field: "appEnv" }]);
    expect(problems.map(({ message }) => message.en)).toEqual([textContaining("gateways.DEV")]);
  });

  it("is recognised by a signature that the gateway refuses", async () => {
    const { wallet, wire } = await openWallet(() => good, { clock: { now: () => NOW - 301_000 } });
    expect(await expectFailure(wallet.prepare(account, request, LIMITS))).toMatchObject({
      name: "wallet.rejected",
      reason: "configuration",
      detail: "401 SIGN_ERROR signature",
    });
    expect(wire.refused).toEqual(["another time"]);
  });
});
