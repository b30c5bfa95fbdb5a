import type { Faults, FaultSettings } from "../faults.js";
import { err, ok, type Result } from "neverthrow";
import type { SandboxKeys } from "../keys.js";
import { SUB_MERCHANTS } from "../merchant.js";
import type { Rotation } from "../rotation/rotation.js";
import { ownKey, signBytes } from "../shared/rsa.js";
import { type AnswerSigning, type Dialect, applyFault } from "../wire/apply-fault.js";
import type { WireOutcome, WireReply, WireRequest } from "../wire/serve.js";
import {
  argument,
  business,
  refusalText,
  successText,
  type WalletBAnswer,
  type WalletBRefusal,
} from "./answers.js";
import { BILL_FILE_PATH, BILL_METHOD, type WalletBBills, walletBBills } from "./bills.js";
import { walletBCalls } from "./calls.js";
import type { WalletBCallsOptions } from "./call.js";
import { CERTIFICATE_METHOD, certificateDownload } from "./certificate-download.js";
import { bytesOf, type Charset, charsetOf } from "./charset.js";
import { paymentPage, refusalPage } from "./page.js";
import { appFor, CALL_AGE, type KnownApp, readParameters, verifyRequest } from "./request.js";
import type { SignedParameters } from "./sign.js";
import { SIGNED_METHODS, type SignedMethod, acceptPayload } from "./accept-payload.js";

/** The dependencies of Alipay's gateway. */
export interface WalletBGatewayOptions extends WalletBCallsOptions {
  readonly keys: SandboxKeys;
  readonly faults: Pick<FaultSettings, "now" | "takeCall" | "takeBillFile" | "takeFlowFile">;
  readonly rotation: Pick<Rotation, "currentB" | "chainB">;
}

/** The path of the gateway. */
export const GATEWAY_PATH = "/gateway.do";
const ERROR_NODE = "error_response";
/** The ways to pay that start with a page of the gateway. */
const PAGE_WAYS = ["H5", "PC"] as const;

/**
 * Creates the request handler of Alipay's gateway.
 *
 * It verifies every request and signs every response, except error nodes, pages, bill files and
 * responses under a fault.
 */
export function walletBHandler(
  options: WalletBGatewayOptions,
): (request: WireRequest) => Promise<WireOutcome> {
  const { keys, app, faults, ledger, clock, rotation } = options;
  const serve = (app: KnownApp) => ({
    calls: new Map([
      ...walletBCalls({ ...options, app }),
      [CERTIFICATE_METHOD, certificateDownload(rotation)] as const,
    ]),
    bills: walletBBills({ ...options, app }),
  });
  const own = serve(app);
  const ofSubMerchants = new Map(
    SUB_MERCHANTS.map(({ walletB: { appAuthToken, sellerId, appId: authAppId } }) => [
      appAuthToken,
      serve({ ...app, sellerId, authAppId }),
    ]),
  );

  async function render(
    { node, text, certified }: WalletBAnswer,
    signing: AnswerSigning,
    charset: Charset,
  ): Promise<WireReply> {
    const members = [`"${node}":${text}`];
    const certificate = rotation.currentB();
    if (certified) members.push(`"alipay_cert_sn":"${certificate.name}"`);
    if (signing !== "none" && node !== ERROR_NODE) {
      const own = certified ? certificate.keys : keys.walletB.wallet;
      const { privateKey } = signing === "retired" ? keys.retired : own;
      // A bad signature covers other bytes, with the right key.
      const signed = signing === "bad" ? `${text} ` : text;
      members.push(`"sign":"${await signBytes(bytesOf(signed, charset), ownKey(privateKey))}"`);
    }
    const date = new Date(clock.now()).toUTCString();
    const headers = { "content-type": `text/html;charset=${charset}`, date };
    return { status: 200, headers, body: bytesOf(`{${members.join(",")}}`, charset) };
  }

  async function called(
    method: string,
    parameters: SignedParameters,
    host: string,
    charset: Charset,
  ): Promise<WireOutcome> {
    // A request with an unknown token is refused before its answer is used.
    const { bills, calls } = ofSubMerchants.get(parameters["app_auth_token"] ?? "") ?? own;
    const known = method === BILL_METHOD ? bills.method(host) : calls.get(method);
    const node = `${method.replaceAll(".", "_")}_response`;
    const certified = parameters["app_cert_sn"] !== undefined;
    const no = (refusal: WalletBRefusal, name = node): WalletBAnswer => ({
      node: name,
      text: refusalText(refusal),
      certified,
    });
    const dialect: Dialect<WalletBAnswer> = {
      busy: no({ code: "40005", subCode: "isv.app-call-limited", subMsg: "应用调用次数超限" }),
      failed: no({ code: "20000", subCode: "isp.unknow-error", subMsg: "系统繁忙" }),
      refused: no(business("ACQ.ACCESS_FORBIDDEN")),
      render: (answer, signing) => render(answer, signing, charset),
    };
    if (known === undefined)
      return applyFault(null, dialect, () =>
        no(argument(method === "" ? "missing" : "invalid", "method"), ERROR_NODE),
      );
    const fault = known.call === null ? null : faults.takeCall("walletB", known.call);
    return applyFault(fault, dialect, (delivered) =>
      verifyRequest(parameters, app, { now: clock.now(), longestAgo: CALL_AGE })
        .andThen(() => allowed(faults.now().walletB.merchant))
        .andThen(() => appFor(app, parameters))
        .mapErr((refusal) => (refusal.subCode.endsWith("app-id") ? no(refusal, ERROR_NODE) : no(refusal)))
        .andThen(() => known.answer(parameters, delivered).mapErr((refusal) => no(refusal)))
        .match(
          (members) => ({ node, text: successText(members), certified }),
          (refusal) => refusal,
        ),
    );
  }

  function shown(way: SignedMethod, parameters: SignedParameters): WireOutcome {
    const taken = acceptPayload(options, way, parameters).andThen((outTradeNo) =>
      ledger.open(outTradeNo).mapErr(() => business("ACQ.TRADE_HAS_CLOSE")),
    );
    const body = taken.match(paymentPage, ({ subCode, subMsg }) => refusalPage(subCode, subMsg));
    const headers = { "content-type": "text/html;charset=utf-8", "cache-control": "no-store" };
    return { kind: "reply", reply: { status: 200, headers, body } };
  }

  return async ({ method, target, headers, body }) => {
    const [path, query = ""] = target.split(/\?(.*)/s);
    if (method === "GET" && path === BILL_FILE_PATH) {
      const files = [own, ...ofSubMerchants.values()].map(({ bills }) => bills);
      return fetchFirst(files, new URLSearchParams(query));
    }
    const isForm = /^application\/x-www-form-urlencoded\b/.test(headers.get("content-type") ?? "");
    const isRequested =
      path === GATEWAY_PATH && (method === "GET" || (method === "POST" && (isForm || body.length === 0)));
    if (!isRequested) return { kind: "reply", reply: { status: 404, headers: {}, body: "" } };
    const charset = charsetOf(query, body, headers.get("content-type") ?? "");
    const parameters = readParameters(query, body, charset);
    if (parameters === undefined) {
      const text = refusalText({ code: "40002", subCode: "isv.invalid-parameter", subMsg: "参数无效" });
      const refused = { node: ERROR_NODE, text, certified: false };
      return { kind: "reply", reply: await render(refused, "none", charset) };
    }
    const name = parameters["method"] ?? "";
    const way = PAGE_WAYS.find((known) => SIGNED_METHODS[known] === name);
    return way === undefined
      ? called(name, parameters, headers.get("host") ?? "", charset)
      : shown(way, parameters);
  };
}

/** Refuses every call of an app whose key was revoked or whose permission was withdrawn. */
function allowed(merchant: Faults["walletB"]["merchant"]): Result<void, WalletBRefusal> {
  if (merchant === "revoked-key") return err(argument("invalid", "signature"));
  return merchant === "disabled" ? err(NO_PERMISSION) : ok(undefined);
}

const NO_PERMISSION: WalletBRefusal = {
  code: "40006",
  subCode: "isv.insufficient-isv-permissions",
  subMsg: "ISV权限不足",
};

function fetchFirst(bills: readonly Pick<WalletBBills, "fetch">[], query: URLSearchParams): WireOutcome {
  for (const one of bills) {
    const file = one.fetch(query);
    if (file !== undefined) return file;
  }
  return { kind: "reply", reply: { status: 403, headers: {}, body: "" } };
}
