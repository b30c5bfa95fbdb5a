import type { Faults, FaultSettings, FaultableCall } from "../faults.js";
import { publicKeyId } from "../keys.js";
import { type Dialect, applyFault } from "../wire/apply-fault.js";
import type { WireOutcome, WireReply, WireRequest } from "../wire/serve.js";
import { refusalText, type WalletAAnswer, type WalletARefusal } from "./answers.js";
import { authorize } from "./authorize.js";
import { BILL_FILE_PATH, isBillPath, walletABills } from "./bills.js";
import { walletACalls } from "./calls.js";
import { certificatesText } from "./certificates.js";
import { type WalletARefundCallsOptions, walletARefundCalls } from "./refund-calls.js";
import { signedHeaders } from "./signed-headers.js";
import { err, ok, type Result } from "neverthrow";

/** The dependencies of WeChat Pay's server. */
export interface WalletAServerOptions extends WalletARefundCallsOptions {
  readonly faults: Pick<FaultSettings, "now" | "takeCall" | "takeBillFile" | "takeFlowFile">;
  /** The key that signs responses to requests that do not ask for the downloaded public key. */
  readonly signing: "certificate" | "public-key";
}

/** An endpoint: its name in the fault settings, or `null`, and its handler. */
interface Endpoint {
  readonly call: FaultableCall | null;
  answer(delivered: boolean): Result<WalletAAnswer, WalletARefusal>;
}

const PREPAY_WAYS = { app: "APP", native: "NATIVE", h5: "H5", jsapi: "JSAPI" } as const;
const ORDER = /^\/v3\/pay(?:\/partner)?\/transactions\/out-trade-no\/([^/]+)(\/close)?$/;
const ORDER_BY_ID = /^\/v3\/pay(?:\/partner)?\/transactions\/id\/([^/]+)$/;
const REFUND = /^\/v3\/refund\/domestic\/refunds\/([^/]+)(\/apply-abnormal-refund)?$/;

/**
 * Creates the request handler of WeChat Pay's API v3.
 *
 * It verifies every request and signs every response, except bill files and responses under a
 * fault.
 */
export function walletAHandler(
  options: WalletAServerOptions,
): (request: WireRequest) => Promise<WireOutcome> {
  const { keys, merchant, clock, faults, rotation } = options;
  const [ownCalls, partnerCalls] = [walletACalls(options, false), walletACalls(options, true)];
  const refunds = walletARefundCalls(options);
  const bills = walletABills(options);
  const merchantPublicKey = keys.walletA.merchant.publicKey;
  const downloadedKeyId = publicKeyId(keys.walletA.downloaded.publicKey);

  function endpoint(request: WireRequest, { pathname, searchParams }: URL): Endpoint | undefined {
    const { method, body } = request;
    const calls = pathname.startsWith("/v3/pay/partner/") ? partnerCalls : ownCalls;
    const source = /^\/v3\/pay(?:\/partner)?\/transactions\/(\w+)$/.exec(pathname)?.[1];
    const prepay = Object.entries(PREPAY_WAYS).find(([name]) => name === source)?.[1];
    if (method === "POST" && prepay !== undefined)
      return { call: "prepay", answer: (delivered) => calls.prepay(prepay, body, delivered) };
    const [, outTradeNo, close] = ORDER.exec(pathname) ?? [];
    if (method === "GET" && outTradeNo !== undefined && close === undefined)
      return { call: "query", answer: () => calls.query(decoded(outTradeNo), searchParams) };
    const id = ORDER_BY_ID.exec(pathname)?.[1];
    if (method === "GET" && id !== undefined)
      return { call: "query", answer: () => calls.queryById(decoded(id), searchParams) };
    if (method === "POST" && outTradeNo !== undefined && close !== undefined)
      return { call: "close", answer: () => calls.close(decoded(outTradeNo), body) };
    if (method === "POST" && pathname === "/v3/refund/domestic/refunds")
      return { call: "refund", answer: () => refunds.refund(body) };
    const [, refundNo, abnormal] = REFUND.exec(pathname) ?? [];
    if (method === "GET" && refundNo !== undefined && abnormal === undefined)
      return {
        call: "refundQuery",
        answer: () => refunds.queryRefund(decoded(refundNo), searchParams.get("sub_mchid")),
      };
    if (method === "POST" && refundNo !== undefined && abnormal !== undefined) {
      const serial = request.headers.get("wechatpay-serial");
      return { call: "refund", answer: () => refunds.applyAbnormal(decoded(refundNo), body, serial) };
    }
    if (method === "GET" && isBillPath(pathname)) {
      const host = request.headers.get("host") ?? "";
      return { call: "bill", answer: () => bills.ask(pathname, searchParams, host) };
    }
    if (method === "GET" && pathname === "/v3/certificates")
      return {
        call: null,
        answer: () => ok({ status: 200, body: certificatesText(merchant, rotation.listedA()) }),
      };
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
    const trusted = () =>
      authorize(request, { ...merchant, merchantPublicKey }, clock.now()).andThen(() =>
        allowed(faults.now().walletA.merchant),
      );
    const url = new URL(request.target, "http://127.0.0.1");
    if (request.method === "GET" && url.pathname === BILL_FILE_PATH) {
      const file = trusted().andThen(() => bills.fetch(url.searchParams));
      // A response of the file endpoint is unsigned, even if it is an error.
      return file.isOk()
        ? file.value
        : { kind: "reply", reply: await render(refusal(file.error), "none", null) };
    }
    const found = endpoint(request, url);
    const fault = found === undefined || found.call === null ? null : faults.takeCall("walletA", found.call);
    return applyFault(fault, dialect, (delivered) =>
      trusted()
        .andThen(() => headersFit(request, downloadedKeyId, ...rotation.listedA().map(({ name }) => name)))
        .andThen(() => found?.answer(delivered) ?? err<never, WalletARefusal>({ code: "NOT_FOUND" }))
        .match((answer) => answer, refusal),
    );
  };

  async function render(
    { status, body }: WalletAAnswer,
    signing: "good" | "none" | "bad" | "retired",
    requested: string | null,
  ): Promise<WireReply> {
    const requestId = `08${crypto.randomUUID().replaceAll("-", "").toUpperCase()}`;
    const headers = {
      "request-id": requestId,
      ...(status === 204 ? {} : { "content-type": "application/json; charset=utf-8" }),
    };
    if (signing === "none") return { status, headers, body };
    const own = requested === downloadedKeyId ? "public-key" : options.signing;
    // A bad signature covers other bytes, with the right key.
    const signed = await signedHeaders(signing === "bad" ? `${body} ` : body, {
      keys,
      signing: signing === "retired" ? "retired" : own,
      now: clock.now(),
    });
    return { status, headers: { ...headers, ...signed }, body };
  }
}

/** Refuses every call of a merchant whose key was revoked or whose account is disabled. */
function allowed(merchant: Faults["walletA"]["merchant"]): Result<void, WalletARefusal> {
  if (merchant === "revoked-key") return err({ code: "SIGN_ERROR" });
  return merchant === "disabled" ? err({ code: "NO_AUTH" }) : ok(undefined);
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
  const requested = headers.get("wechatpay-serial");
  if (requested !== null && !serials.includes(requested))
    return unfit("Wechatpay-Serial", "no key of the wallet has it");
  return ok(undefined);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // No order number contains a broken escape, so the look-up fails.
    return segment;
  }
}
