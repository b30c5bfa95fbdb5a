import type { Wallet } from "@tillkit/core";
import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";
import { okAsync } from "neverthrow";
import { describe, expect, it, vi } from "vitest";
import type { FuzzFinding, FuzzTarget } from "./fuzz-target.js";
import { metrics } from "./metrics.js";
import { adapters, notifications } from "./notifications.js";
import { payments } from "./payments.js";

// A round takes one or two seconds alone, and many times as long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

type Handle = (
  request: HttpRequest,
  properly: () => Promise<HttpReply<string>>,
) => Promise<HttpReply<string>>;

/** Wraps a surface so that `handle` answers every request that contains `__proto__`. */
const planted =
  (handle: Handle) =>
  (surface: Surface<string>): Surface<string> => ({
    ...surface,
    handle: (request) => {
      const text = request.query + Buffer.from(request.body).toString();
      const properly = () => surface.handle(request);
      return text.includes("__proto__") ? handle(request, properly) : properly();
    },
  });

const FAULTS: readonly (readonly [name: string, handle: Handle, broken: RegExp])[] = [
  ["throws", () => Promise.reject(new Error("a planted fault")), /a planted fault/],
  [
    "leaks a stack trace",
    async (_request, properly) => ({ ...(await properly()), body: new Error("x").stack ?? "" }),
    /stack trace or a path/,
  ],
  [
    "answers without an envelope",
    async (_request, properly) => ({ ...(await properly()), body: "oops" }),
    /enveloped/,
  ],
  [
    "changes a prototype",
    (_request, properly) => {
      Reflect.set(Object.prototype, "polluted", 1);
      return properly();
    },
    /Object\.prototype\.polluted changed/,
  ],
  [
    "fails outside its response",
    (_request, properly) => {
      void Promise.reject(new Error("a planted fault"));
      return properly();
    },
    /than the response failed: Error: a planted fault/,
  ],
];

/** Plays rounds until one has a finding. */
async function found(target: FuzzTarget): Promise<FuzzFinding | undefined> {
  const attack = await target.open();
  for (let seed = 1; seed < 40; seed += 1) {
    const { finding } = await attack.round({ seed });
    if (finding !== undefined) return finding;
  }
  return undefined;
}

it("the fuzzer finds a surface that returns different codes for one fault", { tags: "slow" }, async () => {
  let times = 0;
  const wavering = (surface: Surface<string>): Surface<string> => ({
    ...surface,
    handle: async (request) => {
      const reply = await surface.handle(request);
      if (!reply.body.startsWith('{"code":10004,') || (times += 1) % 2 === 1) return reply;
      const traceId = reply.headers["x-trace-id"];
      return {
        ...reply,
        body: JSON.stringify({ code: 10002, msg: "Parameter amount is required", traceId }),
      };
    },
  });
  const finding = await found(payments(wavering));
  expect(finding?.broken).toMatch(/a repeated fault returns the same code/);
});

it("the fuzzer finds a status that does not match the code", async () => {
  const failing = (surface: Surface<string>): Surface<string> => ({
    ...surface,
    handle: async (request) => {
      const reply = await surface.handle(request);
      return reply.body.includes('"code":50002') ? { ...reply, status: 500 } : reply;
    },
  });
  expect((await found(payments(failing)))?.broken).toMatch(/^code 50002 has the status (200|409)/);
});

it("the fuzzer finds an adapter that trusts unsigned messages", { tags: "slow" }, async () => {
  const believing: Wallet = {
    ...adapters().WALLET_B,
    readNotification: (_account, { body }) => {
      const parameters = Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));
      const {
        out_trade_no: outTradeNo = "",
        app_id: walletAppId = "",
        seller_id: merchantId = "",
      } = parameters;
      const order = {
        outTradeNo,
        walletAppId,
        merchantId,
        amount: 600,
        currency: "CNY",
        evidence: "none",
      } as const;
      return okAsync({ kind: "payment", order: { ...order, state: "PAID" } });
    },
  };
  const finding = await found(notifications(undefined, { ...adapters(), WALLET_B: believing }));
  expect(finding?.broken).toMatch(/a false or changed notification changes nothing/);
});

describe.each([
  ["payments", payments],
  ["metrics", metrics],
] as const)("a fault planted in %s", (_name, target) => {
  it.each(FAULTS)("is found when it %s", async (_fault, handle, broken) => {
    const finding = await found(target(planted(handle)));
    expect(finding?.broken).toMatch(broken);
    // The shrunk test case contains only what the fault needs.
    expect(finding?.explanation.match(/__proto__/g)).toHaveLength(1);
    expect(finding?.explanation.match(/^(GET|POST) /gm)?.length ?? 1).toBe(1);
    expect(finding?.path).toMatch(/^\d+(:\d+)*$/);
  });
});
