import { alipayWallet } from "@tillkit/alipay";
import { orThrow } from "@tillkit/core";
import type { HttpReply } from "@tillkit/core/http";
import type { PaymentRequest } from "@tillkit/core/ports";
import { openSandbox, type Sandbox, type SandboxClock } from "@tillkit/sandbox";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import fc from "fast-check";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { expectNoSecret } from "./payments-answers.js";
import {
  type Change,
  changed,
  changesOf,
  type Draft,
  requestOf,
  type SpelledRequest,
  describeRequest,
} from "./requests.js";

/** A call of the control interface, and its differences from a valid one. */
interface RequestStep {
  /** Method and path. */
  readonly call: string;
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly changes: readonly Change[];
}

const ORDER = "01KEZWYTG0ORDER00000000001";

/** The control interface of the sandbox. It must explain every wrong request to developers. */
export const control: FuzzTarget = {
  name: "control",
  share: 8,
  open: async () => {
    const [calls, payload] = await withSandbox(async (sandbox) => [
      await callsOf(sandbox),
      await payloadAt(sandbox),
    ]);
    const samples = samplesOf(payload);
    const names = Object.keys(samples);
    const step = fc.record<RequestStep>({
      call: fc.constantFrom(...calls),
      values: fc.record(
        Object.fromEntries(
          Object.entries(samples).map(([name, values]) => [
            name,
            fc.option(fc.constantFrom(...values), { nil: undefined }),
          ]),
        ),
      ),
      changes: fc.array(changesOf(names), { maxLength: 3, size: "max" }),
    });
    return openTargetBy<readonly RequestStep[]>({
      cases: fc.array(step, { maxLength: 16, size: "max" }),
      requestsIn: (steps) => steps.length,
      play: (steps) =>
        withSandbox(async ({ control: surface }) => {
          for (const each of steps) {
            const request = requestAt(each);
            expectAnswer(await surface.handle(request));
          }
        }),
      toText: (steps) => steps.map((each) => describeRequest(requestAt(each))).join("\n"),
    });
  },
};

/** The JSON texts of values by member name. Each call uses the members that it knows. */
function samplesOf(payload: string): Readonly<Record<string, readonly string[]>> {
  return {
    outTradeNo: [JSON.stringify(ORDER)],
    payload: [
      payload,
      '{"qr_code":"https://qr.alipay.com/000000000000000000000001"}',
      '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}',
    ],
    late: ["true"],
    times: ["1", "100"],
    amount: ["1"],
    as: ['"forged"', '"probe"', '"wrong-amount"'],
    walletA: ['{"prepay":"500"}', '{"notify":{"fault":"drop","times":1}}', '{"ends":"CLOSED"}', "0", "null"],
    walletB: ['{"notify":"concurrent"}', '{"billFile":"cut"}', '{"takes":null}', "500", "null"],
    state: ['"CLOSED"', '"PROCESSING"'],
    depositBack: ['"F"', "null"],
    use: ['"pays"'],
    bizNo: ['"b-1"'],
    sms: ['"reject"', "null"],
    advanceMs: ["0", "86400000", "316224000000"],
    mobileNo: ['"+8613800138000"'],
    authCode: ['"123456"'],
    ttl: ["1"],
  };
}

function expectAnswer({ status, headers, body }: HttpReply<string>): void {
  const seen = { status, headers, body };
  expectNoSecret(seen, [keys.walletA.apiV3Key, keys.walletA.wallet.privateKey]);
  if (![200, 400, 404, 409, 422, 504].includes(status))
    reportBroken("the control interface describes the error", seen);
  const answer = jsonOf(body);
  const error: unknown =
    typeof answer === "object" && answer !== null ? Reflect.get(answer, "error") : undefined;
  const isError = typeof error === "string" && /[a-z]/.test(error);
  if (status !== 200 && !isError) reportBroken("a rejection has a description", seen);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return reportBroken("the control interface answers JSON", text);
  }
}

function requestAt({ call, values, changes }: RequestStep): SpelledRequest {
  const [method = "", path = ""] = call.split(" ");
  const members = Object.entries(values).flatMap(([name, json]) =>
    json === undefined ? [] : [[name, json] as const],
  );
  const from = method === "GET" ? "query" : "body";
  const draft: Draft = { method, path, from, members, headers: {}, query: "", form: false, changes: [] };
  return requestOf(changes.reduce(changed, draft), 16 * 1_024);
}

/** Returns every call. The interface lists them in the response to an unknown call. */
async function callsOf({ control: surface }: Sandbox): Promise<readonly string[]> {
  const { body } = await surface.handle({
    method: "GET",
    path: "/",
    query: "",
    headers: new Headers(),
    body: new Uint8Array(),
  });
  const calls = [...body.matchAll(/\b(GET|POST) (\/[\w/{}-]+)/g)].map(([call]) => call);
  if (calls.length === 0) throw new Error("The control interface did not list its calls.");
  return calls;
}

/** Returns the JSON text of a payload that Alipay's adapter signs locally. */
async function payloadAt({ clock, payTools, addresses }: Sandbox): Promise<string> {
  const wallet = alipayWallet({ clock, gateways: { DEV: addresses.walletB } });
  const record = { id: "tool-1", appId: "app-1", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
  const account = { ...payTools.WALLET_B, ...record };
  const now = clock.now();
  const request: PaymentRequest = {
    outTradeNo: ORDER,
    amount: 600,
    goodsTitle: "VIP",
    paySource: "APP",
    notifyUrl: "http://127.0.0.1/notify",
    returnUrl: "http://127.0.0.1/return",
    expiresAt: now + 7_200_000,
  };
  const local = wallet.localPrepayment(account, request, now);
  if (local === undefined) throw new Error("An app's payload of WALLET_B needs no call.");
  return JSON.stringify(await orThrow(wallet.payload(account, request, local, now)));
}

async function withSandbox<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await openSandbox({
    keys,
    clock: stillClock(),
    deliver: () => Promise.resolve({ status: 500, body: "" }),
  });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

function stillClock(): SandboxClock {
  const listeners = new Set<() => void>();
  let now = Date.UTC(2026, 0, 15, 4);
  return {
    now: () => now,
    sleep: () => Promise.resolve(),
    advance: (ms) => {
      now += ms;
      for (const listener of listeners) listener();
    },
    onAdvance: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
