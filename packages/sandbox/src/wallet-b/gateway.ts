import type { FaultBoard } from "../faults.js";
import type { SandboxKeys } from "../keys.js";
import { certificateSn } from "../shared/certificate.js";
import { ownKey, signText } from "../shared/rsa.js";
import { type AnswerSigning, type Dialect, misbehave } from "../wire/misbehave.js";
import type { WireOutcome, WireReply, WireRequest } from "../wire/serve.js";
import {
  argument,
  business,
  refusalText,
  successText,
  type WalletBAnswer,
  type WalletBRefusal,
} from "./answers.js";
import { BILL_FILE_PATH, BILL_METHOD, walletBBills } from "./bills.js";
import { type WalletBCallsOptions, walletBCalls } from "./calls.js";
import { paymentPage, refusalPage } from "./page.js";
import { readParameters, verifyRequest } from "./request.js";
import type { Parameters } from "./sign.js";
import { SIGNED_METHODS, takeUp } from "./take-up.js";

/** What WALLET_B's gateway needs of the rest of the sandbox. */
export interface WalletBGatewayOptions extends WalletBCallsOptions {
  readonly keys: SandboxKeys;
  readonly faults: Pick<FaultBoard, "takeCall" | "takeBillFile" | "takeFlowFile">;
}

/** Where the gateway is. */
export const GATEWAY_PATH = "/gateway.do";
const ERROR_NODE = "error_response";

/** WALLET_B's gateway on the wire: proves every request, answers in its words, and signs the text of its answers. */
export function walletBHandler(
  options: WalletBGatewayOptions,
): (request: WireRequest) => Promise<WireOutcome> {
  const { keys, app, faults, ledger } = options;
  const calls = walletBCalls(options);
  const bills = walletBBills(options);
  const sn = certificateSn(app.walletCertificate);

  async function render(
    { node, text, certified }: WalletBAnswer,
    signing: AnswerSigning,
  ): Promise<WireReply> {
    const members = [`"${node}":${text}`];
    if (certified) members.push(`"alipay_cert_sn":"${sn}"`);
    if (signing !== "none" && node !== ERROR_NODE) {
      const { privateKey } = signing === "retired" ? keys.retired : keys.walletB.wallet;
      // A bad signature is one over other bytes, by the right key.
      const signed = signing === "bad" ? `${text} ` : text;
      members.push(`"sign":"${await signText(signed, ownKey(privateKey))}"`);
    }
    const headers = { "content-type": "text/html;charset=utf-8" };
    return { status: 200, headers, body: `{${members.join(",")}}` };
  }

  async function called(method: string, parameters: Parameters, host: string): Promise<WireOutcome> {
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
      render,
    };
    if (known === undefined)
      return misbehave(null, dialect, () =>
        no(argument(method === "" ? "missing" : "invalid", "method"), ERROR_NODE),
      );
    return misbehave(faults.takeCall("walletB", known.call), dialect, (heard) =>
      verifyRequest(parameters, app)
        .mapErr((refusal) => (refusal.subCode.endsWith("app-id") ? no(refusal, ERROR_NODE) : no(refusal)))
        .andThen(() => known.answer(parameters, heard).mapErr((refusal) => no(refusal)))
        .match(
          (members) => ({ node, text: successText(members), certified }),
          (refusal) => refusal,
        ),
    );
  }

  function shown(parameters: Parameters): WireOutcome {
    const taken = takeUp(options, "H5", parameters).andThen((outTradeNo) =>
      ledger.open(outTradeNo).mapErr(() => business("ACQ.TRADE_HAS_CLOSE")),
    );
    const body = taken.match(paymentPage, ({ subCode, subMsg }) => refusalPage(subCode, subMsg));
    const headers = { "content-type": "text/html;charset=utf-8", "cache-control": "no-store" };
    return { kind: "reply", reply: { status: 200, headers, body } };
  }

  return async ({ method, target, headers, body }) => {
    const [path, query = ""] = target.split(/\?(.*)/s);
    if (method === "GET" && path === BILL_FILE_PATH) return bills.fetch(new URLSearchParams(query));
    const isForm = /^application\/x-www-form-urlencoded\b/.test(headers.get("content-type") ?? "");
    const asked =
      path === GATEWAY_PATH && (method === "GET" || (method === "POST" && (isForm || body.length === 0)));
    if (!asked) return { kind: "reply", reply: { status: 404, headers: {}, body: "" } };
    const parameters = readParameters(query, body);
    if (parameters === undefined) {
      const text = refusalText({ code: "40002", subCode: "isv.invalid-parameter", subMsg: "参数无效" });
      return { kind: "reply", reply: await render({ node: ERROR_NODE, text, certified: false }, "none") };
    }
    const name = parameters["method"] ?? "";
    return name === SIGNED_METHODS.H5
      ? shown(parameters)
      : called(name, parameters, headers.get("host") ?? "");
  };
}
