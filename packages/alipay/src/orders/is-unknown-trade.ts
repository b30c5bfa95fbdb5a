import type { GatewayResponse } from "../gateway/read-response.js";

/** Returns whether Alipay answers that it does not know the trade. */
export function isUnknownTrade(answer: GatewayResponse): boolean {
  return answer.sub_code === "ACQ.TRADE_NOT_EXIST";
}
