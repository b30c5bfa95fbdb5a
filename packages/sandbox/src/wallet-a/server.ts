import type { FaultBoard, WalletCall } from "../faults.js";
import { publicKeyId, type SandboxKeys } from "../keys.js";
import { type Dialect, misbehave } from "../wire/misbehave.js";
import type { WireOutcome, WireReply, WireRequest } from "../wire/serve.js";
import { refusalText, type WalletAAnswer, type WalletARefusal } from "./answers.js";
import { authorize } from "./authorize.js";
import { BILL_FILE_PATH, isBillPath, walletABills } from "./bills.js";
import { type WalletACallsOptions, walletACalls } from "./calls.js";
import { certificatesText } from "./certificates.js";
import { signedHeaders } from "./signed-headers.js";
import { err, ok, type Result } from "neverthrow";

/** What WALLET_A's server needs of the rest of the sandbox. */
export interface WalletAServerOptions extends WalletACallsOptions {
  readonly keys: SandboxKeys;
  readonly faults: Pick<FaultBoard, "now" | "takeCall" | "takeBillFile" | "takeFlowFile">;
  /** What signs answers to requests that do not ask for the downloaded public key. */
  readonly signing: "certificate" | "public-key";
}

/** An endpoint: which fault strikes it, and what it does. */
interface Endpoint {
  readonly call: WalletCall | null;
  answer(heard: boolean): Result<WalletAAnswer, WalletARefusal>;
}

const PREPAY_SOURCES = { app: "APP", native: "NATIVE", h5: "H5" } as const;
const ORDER = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/;
const REFUND = /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/;

/** WALLET_A's API v3 on the wire: proves every request, answers in its words, and signs every answer of its own. */
export function walletAHandler(
  options: WalletAServerOptions,
): (request: WireRequest) => Promise<WireOutcome> {
  const { keys, merchant, clock, faults } = options;
  const calls = walletACalls(options);
  const bills = walletABills(options);
  const merchantPublicKey = keys.walletA.merchant.publicKey;
  const downloadedKeyId = publicKeyId(keys.walletA.downloaded.publicKey);

  function endpoint(request: WireRequest, { pathname, searchParams }: URL): Endpoint | undefined {
    const { method, body } = request;
    const source = /^\/v3\/pay\/transactions\/(app|native|h5)$/.exec(pathname)?.[1];
    const prepay = Object.entries(PREPAY_SOURCES).find(([name]) => name === source)?.[1];
    if (method === "POST" && prepay !== undefined)
      return { call: "prepay", answer: (heard) => calls.prepay(prepay, body, heard) };
    const [, outTradeNo, close] = ORDER.exec(pathname) ?? [];
    if (method === "GET" && outTradeNo !== undefined && close === undefined)
      return { call: "query", answer: () => calls.query(decoded(outTradeNo), searchParams.get("mchid")) };
    if (method === "POST" && outTradeNo !== undefined && close !== undefined)
      return { call: "close", answer: () => calls.close(decoded(outTradeNo), body) };
    if (method === "POST" && pathname === "/v3/refund/domestic/refunds")
      return { call: "refund", answer: () => calls.refund(body) };
    const refundNo = REFUND.exec(pathname)?.[1];
    if (method === "GET" && refundNo !== undefined)
      return { call: "refundQuery", answer: () => calls.queryRefund(decoded(refundNo)) };
    if (method === "GET" && isBillPath(pathname)) {
      const host = request.headers.get("host") ?? "";
      return { call: "bill", answer: () => bills.ask(pathname, searchParams, host) };
    }
    if (method === "GET" && pathname === "/v3/certificates")
      return { call: null, answer: () => ok({ status: 200, body: certificatesText(merchant) }) };
    return undefined;
  }

  return async (request) => {
    const spelling = faults.now().walletA.codes;
    const refusal = ({ code, detail }: WalletARefusal) => refusalText(code, spelling, detail);
    const dialect: Dialect<WalletAAnswer> = {
      busy: refusal({ code: "FREQUENCY_LIMITED" }),
      failed: refusal({ code: "SYSTEM_ERROR" }),
      refused: refusal({ code: "NO_AUTH" }),
      render: (answer, signing) => render(answer, signing, request.headers.get("wechatpay-serial")),
    };
    const proven = () => authorize(request, { ...merchant, merchantPublicKey }, clock.now());
    const url = new URL(request.target, "http://127.0.0.1");
    if (request.method === "GET" && url.pathname === BILL_FILE_PATH) {
      const file = proven().andThen(() => bills.fetch(url.searchParams));
      // What goes with a file is signed as little as the file.
      return file.isOk()
        ? file.value
        : { kind: "reply", reply: await render(refusal(file.error), "none", null) };
    }
    const found = endpoint(request, url);
    const fault = found === undefined || found.call === null ? null : faults.takeCall("walletA", found.call);
    return misbehave(fault, dialect, (heard) =>
      proven()
        .andThen(() => headersFit(request, downloadedKeyId, merchant.walletSerialNo))
        .andThen(() => found?.answer(heard) ?? err<never, WalletARefusal>({ code: "NOT_FOUND" }))
        .match((answer) => answer, refusal),
    );
  };

  async function render(
    { status, body }: WalletAAnswer,
    signing: "good" | "none" | "bad" | "retired",
    asked: string | null,
  ): Promise<WireReply> {
    const requestId = `08${crypto.randomUUID().replaceAll("-", "").toUpperCase()}`;
    const headers = {
      "request-id": requestId,
      ...(status === 204 ? {} : { "content-type": "application/json; charset=utf-8" }),
    };
    if (signing === "none") return { status, headers, body };
    const own = asked === downloadedKeyId ? "public-key" : options.signing;
    // A bad signature is one over other bytes, by the right key.
    const signed = await signedHeaders(signing === "bad" ? `${body} ` : body, {
      keys,
      signing: signing === "retired" ? "retired" : own,
      now: clock.now(),
    });
    return { status, headers: { ...headers, ...signed }, body };
  }
}

function headersFit(
  { method, headers, body }: WireRequest,
  ...serials: readonly string[]
): Result<void, WalletARefusal> {
  const unfit = (field: string, issue: string) =>
    err<never, WalletARefusal>({ code: "PARAM_ERROR", detail: { field, issue, location: "header" } });
  const accept = headers.get("accept") ?? "";
  if (!/application\/json|\*\/\*/.test(accept)) return unfit("Accept", "does not take application/json");
  if (!headers.get("user-agent")) return unfit("User-Agent", "absent");
  const type = headers.get("content-type") ?? "";
  if (method === "POST" && body.length > 0 && !/^application\/json\b/.test(type))
    return unfit("Content-Type", "not application/json");
  const asked = headers.get("wechatpay-serial");
  if (asked !== null && !serials.includes(asked))
    return unfit("Wechatpay-Serial", "no key of the wallet has it");
  return ok(undefined);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not a number any order can have.
    return segment;
  }
}
