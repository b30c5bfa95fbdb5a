import type { Order } from "../../orders/order.js";
import type { PayTool } from "../../pay-tools/pay-tool.js";
import type { ServiceList } from "../../services/list-services.js";
import type { Page } from "../../shared/page.js";
import { type TypedJson, typedJson } from "../typed-json.js";
import { parseJson } from "../read-parameters.js";
import { type ChannelNaming, nameOfPayChannel } from "./pay-channel-names.js";
import type { HistoryRecord, OrderRecord, PayToolRecord, ServicesRecord } from "./response-schemas.js";

/**
 * Writes an order record as JSON text.
 *
 * `attachData` that is a JSON object or array is inserted as the caller sent it, without parsing.
 * Long numbers, key order and repeated keys therefore do not change.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/attach-data-lossless.md |
 *   attachData is returned exactly as it was sent}
 */
export function orderJson(order: Order, policy: ChannelNaming): TypedJson<OrderRecord> {
  const { id, appId, bizNo, amount, goodsTitle, payChannel, paymentStatus, pmtDt } = order;
  const { gmtCreate, gmtModified, sourceFrom, refundedAmount } = order;
  const record = typedJson<Omit<OrderRecord, "attachData">>({
    id,
    appId,
    bizNo,
    amount,
    goodsTitle,
    payChannel: nameOfPayChannel(policy, payChannel),
    paymentStatus,
    pmtDt,
    gmtCreate,
    gmtModified,
    sourceFrom,
    extInfo: refundedAmount === 0 ? {} : { refundedAmount },
  });
  if (order.attachData === undefined) return record;
  return { text: `${record.text.slice(0, -1)},"attachData":${attachDataJson(order.attachData)}}` };
}

/** Writes `attachData`: a JSON object or array unchanged, any other text as a JSON string. */
export function attachDataJson(attachData: string): string {
  const structured = /^[\s]*[{[]/.test(attachData) && parseJson(attachData).isOk();
  return structured ? attachData : JSON.stringify(attachData);
}

/** Writes a page of orders as JSON text. */
export function historyJson(
  { items, totalCount }: Page<Order>,
  policy: ChannelNaming,
): TypedJson<HistoryRecord> {
  const list = items.map((order) => orderJson(order, policy).text).join(",");
  return { text: `{"payOrderList":[${list}],"totalCount":${String(totalCount)}}` };
}

/**
 * Writes pay-tool records as JSON text.
 *
 * Lists the members explicitly, because a store may return fields that callers must not see.
 */
export function payToolsJson(tools: readonly PayTool[], policy: ChannelNaming): TypedJson<PayToolRecord[]> {
  return typedJson<PayToolRecord[]>(
    tools.map((tool) => ({
      id: tool.id,
      appId: tool.appId,
      accountId: tool.accountId,
      payChannel: nameOfPayChannel(policy, tool.payChannel),
      signStatus: tool.signStatus,
      appEnv: tool.appEnv,
      appName: tool.appName,
      appPackageName: tool.appPackageName,
      appSignature: tool.appSignature,
      extInfo: {},
      gmtCreate: tool.gmtCreate,
      gmtModified: tool.gmtModified,
    })),
  );
}

/** Writes the customer's services as JSON text. */
export function serviceListJson({ services, serverTime }: ServiceList): TypedJson<ServicesRecord> {
  return typedJson<ServicesRecord>({
    totalCount: services.length,
    customerServiceList: services.map(({ serviceNo, serviceName, expireTime }) => ({
      serviceNo,
      serviceName,
      expireTime,
    })),
    serverTime,
  });
}
