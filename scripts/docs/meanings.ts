/** The purpose of each payments endpoint, by path. */
export const PURPOSES: ReadonlyMap<string, string> = new Map([
  ["/payTools.json", "Returns the payment channels of the app."],
  [
    "/order.json",
    "Creates an order and returns the data that opens its payment. Safe to retry: the same `bizNo` with the same parameters returns the same order.",
  ],
  ["/detail.json", "Returns one order."],
  ["/history.json", "Returns a customer's orders, newest first."],
  ["/customerServiceMgmt/{customerIdentity}.json", "Returns a customer's timed services and when they end."],
  ["/sms.json", "Sends a verification code to a phone."],
  ["/auth.json", "Exchanges a verification code for a session token."],
  ["/checkAuth.json", "Returns whether a session token is valid."],
]);

/** The operation id of each payments endpoint, by path. An id never changes. */
export const OPERATION_IDS: ReadonlyMap<string, string> = new Map([
  ["/payTools.json", "listPayTools"],
  ["/order.json", "createOrder"],
  ["/detail.json", "getOrder"],
  ["/history.json", "listOrders"],
  ["/customerServiceMgmt/{customerIdentity}.json", "listServices"],
  ["/sms.json", "sendCode"],
  ["/auth.json", "logIn"],
  ["/checkAuth.json", "checkToken"],
]);

/** The meaning of each parameter, by name. */
export const PARAMETER_MEANINGS: ReadonlyMap<string, string> = new Map([
  ["amount", "The price in cents, as a JSON integer. 100 cents are 1 yuan."],
  [
    "bizNo",
    "Your number for the purchase attempt, in visible ASCII characters. It identifies the order forever.",
  ],
  ["goodsTitle", "The title that the wallet shows to the customer."],
  ["payChannel", "The wallet: `WALLET_A` is WeChat Pay, `WALLET_B` is Alipay."],
  [
    "paySource",
    "Where the customer pays: in an app (`APP`), in a mobile browser (`H5`), by scanning a code (`NATIVE`), inside the wallet's own app (`JSAPI`: mini-program or in-app browser), or in a desktop browser (`PC`, `WALLET_B` only).",
  ],
  [
    "payerId",
    "The customer's id at the wallet. Required for `JSAPI`, ignored for every other `paySource`: the `openid` for `WALLET_A`; the user id of 16 digits or the open id for `WALLET_B`. No response contains it.",
  ],
  [
    "customerIdentity",
    "Your stable internal id of the customer, the same in orders and queries. Never an e-mail address, a phone number, a card or identity card number, an account at a wallet or the `bizNo`. Required for the orders of an app with customer accounts.",
  ],
  [
    "customerName",
    "The customer's name, as a label for operators. A name that contains a phone number or an e-mail address is not stored.",
  ],
  ["serviceNo", "Your number for the timed service. Deprecated."],
  ["serviceTypeNo", "The service type that the paid order extends. Deprecated."],
  [
    "attachData",
    "Your own text or JSON text, which queries return. It must not contain secrets or personal data.",
  ],
  ["sourceFrom", "The app store where the payment started."],
  ["paymentStatus", "Returns only orders with this status. An unknown status matches no order."],
  ["pageNum", "The page number, from 1."],
  ["pageSize", "The number of orders per page."],
  ["mobileNo", "The customer's phone number."],
  ["authCode", "The code from the SMS."],
  ["token", "A session token from `/auth.json`."],
]);
