import type { Mutant } from "../mutant.js";
const READ_REFUSAL = "packages/wechat-pay/src/gateway/read-refusal.ts";
const READ_TRANSACTION = "packages/wechat-pay/src/orders/read-transaction.ts";
const PREPARE_ORDER = "packages/wechat-pay/src/orders/prepare-order.ts";
const QUERY_ORDER = "packages/wechat-pay/src/orders/query-order.ts";
const CLOSE_ORDER = "packages/wechat-pay/src/orders/close-order.ts";
const PAYMENT_PAYLOAD = "packages/wechat-pay/src/orders/payment-payload.ts";
const WECHAT_NOTIFICATION = "packages/wechat-pay/src/notifications/read-notification.ts";
const WECHAT_TIMES = "packages/wechat-pay/src/times.ts";
const EVIDENCE = "packages/alipay/src/evidence-digest.ts";
const CLASSIFY_RESULT = "packages/alipay/src/gateway/classify-result.ts";
const ALIPAY_CLOSE_ORDER = "packages/alipay/src/orders/close-order.ts";
const ALIPAY_QUERY_ORDER = "packages/alipay/src/orders/query-order.ts";
const TRADE = "packages/alipay/src/orders/read-trade.ts";
const ORDER_CONTENT = "packages/alipay/src/orders/biz-content.ts";
const PAYLOAD = "packages/alipay/src/orders/payment-payload.ts";
const POST = "packages/alipay/src/gateway/post.ts";
const ALIPAY_WALLET = "packages/alipay/src/alipay-wallet.ts";
const REPORT_SHIPMENTS = "packages/wechat-pay/src/mini-program/report-shipments.ts";
const WITH_ACCESS_TOKEN = "packages/core/src/wallets/with-access-token.ts";
const ALIPAY_PREPARE_ORDER = "packages/alipay/src/orders/prepare-order.ts";
const BEIJING_TIME = "packages/wallet-kit/src/times/beijing-time.ts";
const MONEY = "packages/core/src/shared/yuan.ts";

/** Mutants of the wallet adapters: what they report to the core and what they send to a wallet. */
export const BETWEEN_ADAPTERS_AND_CORE: readonly Mutant[] = [
  {
    name: "wallet-a-payloads-share-a-nonce",
    guards: "each payload of WeChat Pay has a fresh nonce",
    file: PAYMENT_PAYLOAD,
    find: "update(`${prepayId}\\n${at}`)",
    replace: "update(String(prepayId.length))",
    needsContract: true,
  },
  {
    name: "wallet-a-payloads-of-an-order-share-a-nonce",
    guards: "each payload of WeChat Pay has a fresh nonce",
    file: PAYMENT_PAYLOAD,
    find: "update(`${prepayId}\\n${at}`)",
    replace: "update(prepayId)",
    needsContract: true,
  },
  {
    name: "wallet-a-payloads-of-a-second-share-a-nonce",
    guards: "each payload of WeChat Pay has a fresh nonce",
    file: PAYMENT_PAYLOAD,
    find: "update(`${prepayId}\\n${at}`)",
    replace: "update(`${prepayId}\\n${Math.floor(at / 1000)}`)",
    needsContract: true,
  },
  {
    name: "wallet-a-failure-taken-for-a-no",
    guards: "a server error of WeChat Pay is an unknown outcome",
    file: READ_REFUSAL,
    find: "if (status >= 500 || FAILED.has(code)) return",
    replace: "if (status > 599) return",
    needsContract: true,
  },
  {
    name: "wallet-a-overload-taken-for-a-no",
    guards: "a rate-limited call is an unknown outcome",
    file: READ_REFUSAL,
    find: "if (status === 429 || RATE_LIMITED.test(code))",
    replace: "if (status === 0)",
  },
  {
    name: "wallet-a-paid-told-as-closed",
    guards: "a paid order is not reported as closed",
    file: READ_REFUSAL,
    find: 'ORDERPAID: "paid",',
    replace: 'ORDERPAID: "closed",',
    needsContract: true,
  },
  {
    name: "wallet-a-closed-told-as-another-reason",
    guards: "a closed order is reported as closed",
    file: READ_REFUSAL,
    find: 'ORDERCLOSED: "closed",',
    replace: 'ORDERCLOSED: "other",',
    needsContract: true,
  },
  {
    name: "wallet-a-changed-order-told-as-another-reason",
    guards: "a number that was used with other terms is a conflict",
    file: READ_REFUSAL,
    find: "/商户订单号重复|重入|不一致/",
    replace: "/x商户订单号重复/",
  },
  {
    name: "wallet-a-unsigned-no-told-as-proven",
    guards: "an unsigned refusal is not trusted",
    file: READ_REFUSAL,
    find: 'return { name: "wallet.rejected", reason, trusted: signed, detail };',
    replace: 'return { name: "wallet.rejected", reason, trusted: signed || status > 0, detail };',
    needsContract: true,
  },
  {
    name: "wallet-a-unsigned-absence-trusted",
    guards: "an unsigned absence is not trusted",
    file: QUERY_ORDER,
    find: 'failure.reason === "absent" && failure.trusted;',
    replace: 'failure.reason === "absent";',
  },
  {
    name: "wallet-a-any-answer-is-paid",
    guards: "only the state SUCCESS means paid",
    file: READ_TRANSACTION,
    find: 'tradeState === "CLOSED" || tradeState === "REVOKED" ? "CLOSED" : "OPEN";',
    replace: 'tradeState === "CLOSED" || tradeState === "REVOKED" ? "CLOSED" : "PAID";',
    needsContract: true,
  },
  {
    name: "wallet-a-payer-total-taken-for-the-amount",
    guards: "the amount of a payment is the total that the wallet states",
    file: READ_TRANSACTION,
    find: "{ amount: amount.total, currency: amount.currency }",
    replace: "{ amount: amount.total - 1, currency: amount.currency }",
    needsContract: true,
  },
  {
    name: "wallet-a-any-currency-is-yuan",
    guards: "the adapter passes on the currency that the wallet states",
    file: READ_TRANSACTION,
    find: "currency: amount.currency }),",
    replace: 'currency: "CNY" }),',
  },
  {
    name: "wallet-a-payments-share-their-evidence",
    guards: "messages with different facts have different evidence",
    file: READ_TRANSACTION,
    find: "      tradeState,\n      walletTradeNo,\n      successTime,\n      amount?.total,",
    replace: "      walletTradeNo,",
    needsContract: true,
  },
  {
    name: "wallet-a-not-told-when-an-order-ends",
    guards: "the wallet gets the expiry of the order",
    file: PREPARE_ORDER,
    find: "    time_expire: rfc3339(expiresAt),\n",
    replace: "",
  },
  {
    name: "wallet-a-told-a-later-end",
    guards: "the wallet gets the expiry in China's time zone",
    file: WECHAT_TIMES,
    find: "return `${beijingTime(instant)",
    replace: "return `${beijingTime(instant + 3_600_000)",
  },
  {
    name: "wallet-a-told-another-address",
    guards: "the wallet gets the order's own notification address",
    file: PREPARE_ORDER,
    find: "notify_url: notifyUrl,",
    replace: 'notify_url: notifyUrl.replace(/[^/]+$/, ""),',
  },
  {
    name: "wallet-a-takes-an-order-whose-time-is-over",
    guards: "the adapter sends nothing for an expired order",
    file: PREPARE_ORDER,
    find: "if (Math.floor(expiresAt / 1000) * 1000 <= now)",
    replace: "if (expiresAt < 0 && now > 0)",
    needsContract: true,
  },
  {
    name: "wallet-a-prepayment-outlives-its-order",
    guards: "a prepayment never outlives its order",
    file: PREPARE_ORDER,
    find: "validUntil: Math.min(issuedAt + lifetime, request.expiresAt), values",
    replace: "validUntil: issuedAt + lifetime, values",
    needsContract: true,
  },
  {
    name: "wallet-a-close-of-a-paid-order-succeeds",
    guards: "closing a paid order does not succeed",
    file: CLOSE_ORDER,
    find: 'if (failure.reason === "paid") return ok("paid");',
    replace: 'if (failure.reason === "paid") return ok("closed");',
    needsContract: true,
  },
  {
    name: "wallet-a-lost-close-taken-for-done",
    guards: "a close without a response does not succeed",
    file: CLOSE_ORDER,
    find: 'if (failure.name === "wallet.unknown") return err(failure);',
    replace: 'if (failure.name === "wallet.unknown") return ok("closed");',
    needsContract: true,
  },
  {
    name: "wallet-a-refund-read-as-a-payment",
    guards: "a refund notification is parsed as a refund",
    file: WECHAT_NOTIFICATION,
    find: 'return message.event_type === "TRANSACTION.SUCCESS" ? paymentIn(text) : refundIn(text);',
    replace: 'return message.event_type !== "REFUND.CLOSED" ? paymentIn(text) : refundIn(text);',
    needsContract: true,
  },
  {
    name: "wallet-b-failure-taken-for-a-no",
    guards: "a server error of Alipay is an unknown outcome",
    file: CLASSIFY_RESULT,
    find: 'if (code === "20000" || ',
    replace: 'if (code === "20000") return rejected("other", detail);\n  if (',
  },
  {
    name: "wallet-b-unknown-code-taken-for-a-no",
    guards: "a code that is not a known refusal is an unknown outcome",
    file: CLASSIFY_RESULT,
    find: `  return unknownOutcome("server-error", detail);
}`,
    replace: '  return rejected("other", detail);\n}',
  },
  {
    name: "wallet-b-system-error-of-an-order-taken-for-a-no",
    guards: "ACQ.SYSTEM_ERROR is an unknown outcome",
    file: CLASSIFY_RESULT,
    find: "/(^|[._])SYSTEM_ERROR$/i.test(subCode)",
    replace: "/^SYSTEM_ERROR$/i.test(subCode)",
  },
  {
    name: "wallet-b-paid-told-as-closed",
    guards: "a paid trade is not reported as closed",
    file: CLASSIFY_RESULT,
    find: '"ACQ.TRADE_HAS_SUCCESS": "paid",',
    replace: '"ACQ.TRADE_HAS_SUCCESS": "closed",',
    needsContract: true,
  },
  {
    name: "wallet-b-changed-order-told-as-another-reason",
    guards: "a number that was used with other terms is a conflict",
    file: CLASSIFY_RESULT,
    find: '"ACQ.CONTEXT_INCONSISTENT": "conflict",',
    replace: "",
    needsContract: true,
  },
  {
    name: "wallet-b-http-failure-read-as-an-answer",
    guards: "a response with an HTTP error status is an unknown outcome",
    file: POST,
    find: "if (status === 200) return ok(body);",
    replace: "if (status > 0) return ok(body);",
  },
  {
    name: "wallet-b-any-state-is-paid",
    guards: "a trade that waits for its buyer is not reported as paid",
    file: TRADE,
    find: 'if (stated.trade_status === "WAIT_BUYER_PAY") return "OPEN";',
    replace: "",
    needsContract: true,
  },
  {
    name: "wallet-b-refunded-told-as-closed",
    guards: "a refunded trade is reported as refunded, not as closed",
    file: TRADE,
    find: 'return moments || refunded ? "REFUNDED" : "CLOSED";',
    replace: 'return moments && refunded ? "REFUNDED" : "CLOSED";',
  },
  {
    name: "wallet-b-evidence-of-the-order-of-members",
    guards: "equal messages have equal evidence",
    file: EVIDENCE,
    find: "const sorted = Object.entries(facts).sort(([left], [right]) => (left < right ? -1 : 1));",
    replace: "const sorted = Object.entries(facts);",
  },
  {
    name: "wallet-b-messages-share-their-evidence",
    guards: "messages with different facts have different evidence",
    file: EVIDENCE,
    find: 'hash("sha256", JSON.stringify(sorted), "hex")',
    replace: 'hash("sha256", String(sorted.length), "hex")',
    needsContract: true,
  },
  {
    name: "wallet-b-absence-taken-for-a-failure",
    guards: "a trade that the wallet does not know is reported as absent",
    file: ALIPAY_QUERY_ORDER,
    find: "if (isUnknownTrade(answer)) return ok(undefined);",
    replace: "",
    needsContract: true,
  },
  {
    name: "wallet-b-close-of-a-paid-trade-succeeds",
    guards: "closing a paid trade does not succeed",
    file: ALIPAY_CLOSE_ORDER,
    find: 'case "PAID":\n    case "REFUNDED":\n      return ok("paid");',
    replace: 'case "PAID":\n    case "REFUNDED":\n      return ok("closed");',
    needsContract: true,
  },
  {
    name: "wallet-b-open-close-taken-for-done",
    guards: "a close with an unknown outcome does not succeed",
    file: ALIPAY_CLOSE_ORDER,
    find: 'if (failure.name === "wallet.unknown" || failure.reason === "configuration") return errAsync(failure);',
    replace: 'if (failure.name === "wallet.unknown") return okAsync("closed" as const);',
  },
  {
    name: "wallet-b-not-told-when-an-order-ends",
    guards: "the wallet gets the expiry of the order",
    file: ORDER_CONTENT,
    find: "      time_expire: beijingTime(expiresAt),\n",
    replace: "",
    needsContract: true,
  },
  {
    name: "wallet-b-told-a-later-end",
    guards: "the wallet gets the expiry in Beijing time",
    file: BEIJING_TIME,
    find: "return new Date(instant + OFFSET).toISOString()",
    replace: "return new Date(instant + 2 * OFFSET).toISOString()",
    needsContract: true,
  },
  {
    name: "wallet-b-payload-without-its-address",
    guards: "the wallet gets the order's own notification address",
    file: PAYLOAD,
    find: "const call = { returnUrl, ...orderRequest(request, account, credentials) };",
    replace:
      "const call = { returnUrl, ...orderRequest(request, account, credentials), notifyUrl: undefined };",
  },
  {
    name: "wallet-b-told-another-amount",
    guards: "the wallet gets the order's amount",
    file: ORDER_CONTENT,
    find: "total_amount: yuanText(amount),",
    replace: "total_amount: yuanText(Math.ceil(amount / 100) * 100 + 1),",
    needsContract: true,
  },
  {
    name: "wallet-b-prepayment-outlives-its-order",
    guards: "a prepayment never outlives its order",
    file: ALIPAY_PREPARE_ORDER,
    find: "return isPrepared(paySource) ? undefined : { issuedAt: now, validUntil: expiresAt, values: {} };",
    replace:
      "return isPrepared(paySource) ? undefined : { issuedAt: now, validUntil: expiresAt + 1, values: {} };",
    needsContract: true,
  },
  {
    name: "wallet-b-takes-an-order-whose-time-is-over",
    guards: "the adapter sends nothing for an expired order",
    file: ALIPAY_PREPARE_ORDER,
    find: "if (expiresAt <= issuedAt) return failed(",
    replace: "if (expiresAt <= 0) return failed(",
  },
  {
    name: "cents-lost-in-yuan",
    guards: "amounts convert exactly between yuan and cents",
    file: MONEY,
    find: '.padStart(2, "0")}`;',
    replace: "}`;",
  },
  {
    name: "tenths-of-yuan-read-as-cents",
    guards: "amounts convert exactly between yuan and cents",
    file: MONEY,
    find: '(match[2] ?? "").padEnd(2, "0")',
    replace: '(match[2] ?? "")',
  },
  {
    name: "alipay-answer-about-another-merchant-taken",
    guards: "a response about another merchant closes and refunds nothing",
    file: ALIPAY_WALLET,
    find: "run(requireOwnMerchant(call, account))",
    replace: "run(call)",
  },
  {
    name: "delivery-reported-twice",
    guards: "a delivery is reported again only if the wallet has no report",
    file: REPORT_SHIPMENTS,
    find: 'if (state !== "waiting") return',
    replace: 'if (state === "refunded") return',
  },
  {
    name: "refused-access-token-used-again",
    guards: "a refused access token is replaced once",
    file: WITH_ACCESS_TOKEN,
    find: "ports.accessTokens.remove(account.id, first.value.id)",
    replace: 'ports.accessTokens.remove(account.id, "")',
  },
];
