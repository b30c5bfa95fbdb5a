import type { Order } from "../../orders/order.js";
import type { PayTool } from "../../pay-tools/pay-tool.js";
import type { ServiceList } from "../../services/list-services.js";
import type { Page } from "../../shared/page.js";
import { type JsonText, jsonText } from "../json-text.js";
import { parseJson } from "../read-parameters.js";
import type { HistoryRecord, OrderRecord, PayToolRecord, ServicesRecord } from "./responses.js";

/**
 * The order record as JSON text. `attachData` that is a JSON object or array is put in as it was sent, never parsed and written again, so that long numbers, key
 * order and repeated keys survive. Source: payments spec, "Order record"; BEHAVIOUR, "Orders", `attachData`.
 */
export function orderJson(order: Order): JsonText<OrderRecord> {
  const { id, appId, bizNo, amount, goodsTitle, payChannel, paymentStatus, pmtDt } = order;
  const { gmtCreate, gmtModified, sourceFrom, refundedAmount } = order;
  const record = jsonText<Omit<OrderRecord, "attachData">>({
    id,
    appId,
    bizNo,
    amount,
    goodsTitle,
    payChannel,
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

/** The JSON for an `attachData`: structured JSON is left as it was written, whatever else becomes a string. */
export function attachDataJson(attachData: string): string {
  const structured = /^[\s]*[{[]/.test(attachData) && parseJson(attachData).isOk();
  return structured ? attachData : JSON.stringify(attachData);
}

/** A page of orders as JSON text. Source: payments spec, GET /history.json. */
export function historyJson({ items, totalCount }: Page<Order>): JsonText<HistoryRecord> {
  const list = items.map((order) => orderJson(order).text).join(",");
  return { text: `{"payOrderList":[${list}],"totalCount":${String(totalCount)}}` };
}

/** The pay-tool records as JSON text, member by member: a store may hold more than callers may see. Source: payments spec, "Pay-tool record". */
export function payToolsJson(tools: readonly PayTool[]): JsonText<PayToolRecord[]> {
  return jsonText<PayToolRecord[]>(
    tools.map((tool) => ({
      id: tool.id,
      appId: tool.appId,
      accountId: tool.accountId,
      payChannel: tool.payChannel,
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

/** The customer's services as JSON text. Source: payments spec, GET /customerServiceMgmt/{customerIdentity}.json. */
export function serviceListJson({ services, serverTime }: ServiceList): JsonText<ServicesRecord> {
  return jsonText<ServicesRecord>({
    totalCount: services.length,
    customerServiceList: services.map(({ serviceNo, serviceName, expireTime }) => ({
      serviceNo,
      serviceName,
      expireTime,
    })),
    serverTime,
  });
}
