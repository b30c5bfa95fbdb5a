import type { Mutant } from "../mutant.js";

const PAYER_ID = "packages/core/src/orders/payer-id.ts";
const ORDER_ROW = "packages/postgres/src/orders/order-row.ts";
const PAYER_ADDRESS = "packages/wechat-pay/src/orders/payer-address.ts";
const SEND_SIGNED = "packages/wechat-pay/src/gateway/send-signed.ts";
const PAYMENT_PAYLOAD = "packages/wechat-pay/src/orders/payment-payload.ts";

/**
 * Mutants of the rules about the payer, the place where a payment opens, and the hosts of WeChat
 * Pay's gateway.
 */
export const SOURCES: readonly Mutant[] = [
  {
    name: "payer-source-not-compared",
    guards: "a repeated creation for another payer is refused",
    file: "packages/core/src/orders/require-same-request.ts",
    find: `order.payerId !== payerIdOf(input)) fields.push("payerId");`,
    replace: `order.payerId === undefined && payerIdOf(input) !== undefined) fields.push("payerId");`,
  },
  {
    name: "payer-source-not-needed",
    guards: "a JSAPI order without a payer is not stored",
    file: PAYER_ID,
    find: 'return paySource === "JSAPI";',
    replace: "return paySource !== paySource;",
  },
  {
    name: "payer-source-kept-for-all",
    guards: "an order keeps the payer only where the wallet needs one",
    file: PAYER_ID,
    find: "return needsPayerId(opening) ? opening.payerId : undefined;",
    replace: "return opening.payerId;",
  },
  {
    name: "payer-source-not-read",
    onlyHere: "memory keeps the order as it is and reads no columns",
    guards: "the payer is stored with the order",
    file: ORDER_ROW,
    find: `      payerId: optionalText(row, "payer_id"),
`,
    replace: "",
  },
  {
    name: "payer-source-phone-taken",
    guards: "no phone number is stored as a payer",
    file: PAYER_ID,
    find: "return hasEmailAddress(text) || isPhoneNumber(text, policy);",
    replace: "return hasEmailAddress(text);",
  },
  {
    name: "source-private-address-taken",
    guards: "a PROD account gets no address of a private network",
    file: PAYER_ADDRESS,
    find: 'if (appEnv === "PROD" && isNotPublic(',
    replace: 'if (appEnv !== "PROD" && isNotPublic(',
  },
  {
    name: "source-post-sent-twice",
    guards: "a call that the first host may have processed is not sent to the second",
    file: SEND_SIGNED,
    find: 'tryHosts(hosts, sending.request.method === "GET", deadline,',
    replace: "tryHosts(hosts, true, deadline,",
  },
  {
    name: "source-jsapi-signed-without-its-prefix",
    guards: "the payload has the form that WeChat's client accepts",
    file: PAYMENT_PAYLOAD,
    find: "payloadText(appId, seconds, nonceStr, opener)",
    replace: "payloadText(appId, seconds, nonceStr, prepayId)",
  },
];
