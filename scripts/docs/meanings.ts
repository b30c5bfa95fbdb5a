/** The purpose of each payments endpoint, by path. */
export const PURPOSES: ReadonlyMap<string, string> = new Map([
  ["/payTools.json", "The channels the app can take payments with."],
  [
    "/order.json",
    "Creates an order and gives what opens its payment. Safe to repeat: the same `bizNo` with the same parameters is the same order.",
  ],
  ["/detail.json", "One order."],
  ["/history.json", "A customer's orders, newest first."],
  ["/customerServiceMgmt/{customerIdentity}.json", "A customer's timed services and when they end."],
  ["/sms.json", "Sends a verification code to a phone."],
  ["/auth.json", "Exchanges a verification code for a session token."],
  ["/checkAuth.json", "Whether a session token is valid."],
]);

/** The meaning of each parameter, by name. */
export const PARAMETER_MEANINGS: ReadonlyMap<string, string> = new Map([
  ["amount", "Cents, as a JSON integer: 100 are 1 yuan."],
  ["bizNo", "Your number of the transaction: one per attempt, unchangeable, visible ASCII."],
  ["goodsTitle", "What the customer reads while paying."],
  ["payChannel", "Which wallet."],
  [
    "paySource",
    "Where the payment is opened: in an app (`APP`), in a mobile browser (`H5`), by scanning a code (`NATIVE`), inside the wallet's own app (`JSAPI`: mini-program or in-app browser), or in a desktop browser (`PC`, `WALLET_B` only).",
  ],
  [
    "payerId",
    "The customer's id at the wallet. `JSAPI` must have it: the `openid` for `WALLET_A`; for `WALLET_B` the user id of 16 digits, or the open id. Ignored for every other `paySource`. It is in no answer.",
  ],
  [
    "customerIdentity",
    "Your stable internal id of the customer, the same in orders and queries. Never an e-mail address, a phone number or a card number. Orders of apps with accounts must have it.",
  ],
  ["customerName", "A label for people. A phone number or an e-mail address is not stored."],
  ["serviceNo", "Your number of the timed service. Deprecated."],
  ["serviceTypeNo", "The service type whose time a paid order adds. Deprecated."],
  ["attachData", "Text or JSON text of yours, given back in queries. No secrets, no personal data."],
  ["sourceFrom", "The app store the customer came from."],
  ["paymentStatus", "Only orders in this status; a value no order can have matches none."],
  ["pageNum", "Which page, from 1."],
  ["pageSize", "Orders a page."],
  ["mobileNo", "The customer's phone number."],
  ["authCode", "The code from the SMS."],
  ["token", "A session token from `/auth.json`."],
]);
