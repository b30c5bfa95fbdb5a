import { z } from "zod";

/** The effect of a request on a refund at a wallet. */
export type RefundCallKind = "send" | "query" | "apply-abnormal";

/** One request about one refund, as it was sent. */
export interface RefundCall {
  readonly kind: RefundCallKind;
  /** The number under which the wallet knows the refund. */
  readonly refundNo: string;
  /** Epoch milliseconds of the simulated clock. */
  readonly at: number;
  /** Whether the wallet had a refund with this number when the call arrived. */
  readonly isHeld: boolean;
}

/** A request as it arrived: the method, the path with its query, and the body. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

/** Returns the refund that a request is about, or `undefined` if it is about none. */
export type ReadRefundCall = (request: WireRequest) => Omit<RefundCall, "at" | "isHeld"> | undefined;

const REFUNDS = "/v3/refund/domestic/refunds";

/** Recognizes the refund calls of WeChat Pay's API v3. */
export const wechatPayRefundCall: ReadRefundCall = ({ method, target, body }) => {
  const { pathname } = new URL(target, "http://wallet");
  if (method === "POST" && pathname === REFUNDS) return call("send", member(body, "out_refund_no"));
  if (method === "POST" && pathname.startsWith(`${REFUNDS}/`))
    return call("apply-abnormal", member(body, "out_refund_no"));
  if (method === "GET" && pathname.startsWith(`${REFUNDS}/`))
    return call("query", decodeURIComponent(pathname.slice(REFUNDS.length + 1)));
  return undefined;
};

/** Recognizes the refund calls of Alipay, with parameters in the query or in the body. */
export const alipayRefundCall: ReadRefundCall = ({ target, body }) => {
  const { searchParams } = new URL(target, "http://wallet");
  const parameters = new URLSearchParams([...searchParams, ...new URLSearchParams(body)]);
  const refundNo = member(parameters.get("biz_content") ?? "", "out_request_no");
  switch (parameters.get("method")) {
    case "alipay.trade.refund":
      return call("send", refundNo);
    case "alipay.trade.fastpay.refund.query":
      return call("query", refundNo);
    default:
      return undefined;
  }
};

function call(kind: RefundCallKind, refundNo: string | undefined) {
  return refundNo === undefined ? undefined : { kind, refundNo };
}

function member(json: string, name: string): string | undefined {
  try {
    return z.looseObject({ [name]: z.string() }).safeParse(JSON.parse(json)).data?.[name];
  } catch {
    return undefined;
  }
}
