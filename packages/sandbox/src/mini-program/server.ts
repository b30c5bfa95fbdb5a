import { randomBytes } from "node:crypto";
import type { FaultSettings } from "../faults.js";
import { applyFault, type Dialect } from "../wire/apply-fault.js";
import type { WireOutcome, WireReply, WireRequest } from "../wire/serve.js";
import { miniProgramCalls, type MiniProgramCallsOptions, type MiniProgramError } from "./calls.js";

/** The dependencies of the server of the API of mini-programs. */
export interface MiniProgramServerOptions extends MiniProgramCallsOptions {
  readonly faults: Pick<FaultSettings, "takeMiniProgramCall">;
}

/** The paths of the API of mini-programs. */
const PATHS = {
  "/cgi-bin/stable_token": "accessToken",
  "/wxa/sec/order/upload_shipping_info": "shipment",
  "/wxa/sec/order/get_order": "shipmentQuery",
} as const;

/** Returns whether a request is for the API of mini-programs, and not for WeChat Pay. */
export function isMiniProgramCall({ target }: Pick<WireRequest, "target">): boolean {
  return /^\/(cgi-bin|wxa)\//.test(target);
}

/**
 * Creates the request handler of WeChat's API of mini-programs: tokens and reports of deliveries.
 *
 * Every answer has the status 200 and an `errcode`, as WeChat's have.
 */
export function miniProgramHandler(
  options: MiniProgramServerOptions,
): (request: WireRequest) => Promise<WireOutcome> {
  const calls = miniProgramCalls(options);
  return async ({ method, target, body }) => {
    const { pathname, searchParams } = new URL(target, "http://127.0.0.1");
    const call = Object.entries(PATHS).find(([path]) => path === pathname)?.[1];
    if (call === undefined || method !== "POST") return reply({ errcode: 40066, errmsg: "invalid url" });
    const token = searchParams.get("access_token");
    const act = () => {
      switch (call) {
        case "accessToken":
          return calls.issueToken(body);
        case "shipment":
          return calls.report(token, body);
        case "shipmentQuery":
          return calls.find(token, body);
      }
    };
    const fault = options.faults.takeMiniProgramCall(call);
    if (typeof fault === "number") return reply({ errcode: fault, errmsg: "forced by the sandbox" });
    return applyFault(fault, DIALECT, () =>
      act().match(
        (members) => (call === "accessToken" ? members : { errcode: 0, errmsg: "ok", ...members }),
        withRequestId,
      ),
    );
  };
}

const DIALECT: Dialect<object> = {
  busy: { errcode: 45009, errmsg: "reach max api daily quota limit" },
  failed: { errcode: -1, errmsg: "system error" },
  refused: { errcode: 48001, errmsg: "api unauthorized" },
  render: async (answer) => rendered(answer),
};

/** WeChat ends each text with the number of the request. */
function withRequestId({ errcode, errmsg }: MiniProgramError): MiniProgramError {
  return { errcode, errmsg: `${errmsg} rid: ${randomBytes(12).toString("hex")}` };
}

function reply(error: MiniProgramError): WireOutcome {
  return { kind: "reply", reply: rendered(withRequestId(error)) };
}

function rendered(answer: object): WireReply {
  return {
    status: 200,
    headers: { "content-type": "application/json; encoding=utf-8" },
    body: JSON.stringify(answer),
  };
}
