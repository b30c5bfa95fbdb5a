import { z } from "zod";

/** What an endpoint is for and what a success holds. */
export interface Answer {
  readonly purpose: string;
  readonly data: z.ZodType;
  /** Members of the success envelope beside `code`, `msg` and `data`. */
  readonly extra: Readonly<Record<string, z.ZodType>>;
}

const time = z.int().describe("Milliseconds since the Unix epoch.");
const cents = z.int().min(1).describe("Cents: 100 are 1 yuan.");
const payChannel = z.enum(["WALLET_A", "WALLET_B"]);
const extInfo = z.looseObject({});

const order = z.strictObject({
  id: z.string().describe("The order's id, given by the service; the `out_trade_no` at the wallet."),
  appId: z.string().describe("The service-side application id."),
  bizNo: z.string().describe("The caller's number of the transaction."),
  amount: cents,
  goodsTitle: z.string(),
  payChannel,
  paymentStatus: z
    .enum(["PENDING", "PAID", "CLOSE", "REFUND"])
    .describe("Anything but `PAID` is not confirmed. Treat values unknown to you the same way."),
  pmtDt: time.optional().describe("When it was paid, by the wallet's clock; absent before."),
  gmtCreate: time,
  gmtModified: time,
  attachData: z
    .union([z.string(), z.looseObject({}), z.array(z.unknown())])
    .optional()
    .describe("What was sent: as a JSON value where the text was a JSON object or array, else as the text."),
  sourceFrom: z.string().optional(),
  extInfo: extInfo.describe("`refundedAmount` (cents) once a part was refunded."),
});

const payTool = z.strictObject({
  id: z.string(),
  appId: z.string().describe("The service-side application id."),
  accountId: z.string().describe("The merchant's account at the wallet."),
  payChannel,
  signStatus: z.enum(["OK", "NO"]).describe("`OK`: the credentials were checked and work."),
  appEnv: z.enum(["DEV", "PROD"]).describe("Show the channel to real users when it is `OK` and `PROD`."),
  appName: z.string(),
  appPackageName: z.string(),
  appSignature: z.string(),
  extInfo,
  gmtCreate: time,
  gmtModified: time,
});

const payload = z
  .union([
    z
      .strictObject({
        appid: z.string().describe("The wallet-side application id, not `appId`."),
        partnerid: z.string(),
        prepayid: z.string(),
        noncestr: z.string(),
        package: z.string(),
        timestamp: z.int().describe("Seconds since the Unix epoch."),
        sign: z.string(),
      })
      .meta({ title: "WALLET_A, APP" }),
    z
      .strictObject({
        app_id: z.string(),
        method: z.string(),
        format: z.string(),
        charset: z.string(),
        sign_type: z.string(),
        sign: z.string(),
        timestamp: z.string().describe("`yyyy-MM-dd HH:mm:ss` in China."),
        version: z.string(),
        notify_url: z.string(),
        return_url: z.string(),
        biz_content: z.string().describe("JSON text, exactly as signed."),
      })
      .meta({ title: "WALLET_B, APP" }),
    z.strictObject({ code_url: z.string() }).meta({ title: "WALLET_A, NATIVE" }),
    z.strictObject({ qr_code: z.string() }).meta({ title: "WALLET_B, NATIVE" }),
    z.strictObject({ h5_url: z.string() }).meta({ title: "WALLET_A, H5" }),
    z.strictObject({ pay_url: z.string() }).meta({ title: "WALLET_B, H5 and PC" }),
    z
      .strictObject({
        appId: z.string().describe("The wallet-side application id."),
        timeStamp: z.string().describe("Seconds since the Unix epoch, as text."),
        nonceStr: z.string(),
        package: z.string().describe("`prepay_id=` and the number of the prepayment."),
        signType: z.literal("RSA"),
        paySign: z.string(),
      })
      .meta({ title: "WALLET_A, JSAPI" }),
    z
      .strictObject({ tradeNO: z.string().describe("The wallet's number of the trade.") })
      .meta({ title: "WALLET_B, JSAPI" }),
  ])
  .describe("What opens the payment, by `payChannel` and `paySource`.");

const service = z.strictObject({
  serviceNo: z.string(),
  serviceName: z.string(),
  expireTime: time.describe("When it ends; services that have ended are listed too."),
});

/** Purpose and success of each payments endpoint, by path. A test holds real answers against it. */
export const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    "/payTools.json",
    { purpose: "The channels the app can take payments with.", data: z.array(payTool), extra: {} },
  ],
  [
    "/order.json",
    {
      purpose:
        "Creates an order and gives what opens its payment. Safe to repeat: the same `bizNo` with the same parameters is the same order.",
      data: payload,
      extra: {
        traceId: z.string().describe("Quote it when you ask for help."),
        message: z.string().optional().describe("Equal to `msg`; WALLET_B only."),
      },
    },
  ],
  ["/detail.json", { purpose: "One order.", data: order, extra: {} }],
  [
    "/history.json",
    {
      purpose: "A customer's orders, newest first.",
      data: z.strictObject({
        payOrderList: z.array(order),
        totalCount: z.int().describe("How many orders the filter matches in all."),
      }),
      extra: {},
    },
  ],
  [
    "/customerServiceMgmt/{customerIdentity}.json",
    {
      purpose: "A customer's timed services and when they end.",
      data: z.strictObject({ totalCount: z.int(), customerServiceList: z.array(service), serverTime: time }),
      extra: {},
    },
  ],
  ["/sms.json", { purpose: "Sends a verification code to a phone.", data: z.literal("ok"), extra: {} }],
  [
    "/auth.json",
    {
      purpose: "Exchanges a verification code for a session token.",
      data: z.strictObject({ customerId: z.string(), token: z.string() }),
      extra: {},
    },
  ],
  [
    "/checkAuth.json",
    {
      purpose: "Whether a session token is valid.",
      data: z.boolean().describe("`false` also for a token that is malformed, unknown, expired or ended."),
      extra: {},
    },
  ],
]);

/** What each parameter is, by name. */
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
  ["customerName", "A label for people."],
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

const count = z.int().min(0);
const counts = { updateDownloads: count, newDownloads: count, totalDownloads: count };
const day = z.iso.date();
const usage = { dailyLimit: count, usedToday: count, remainingToday: count };

/** A successful downloads report. */
export const METRICS_SUCCESS = z.strictObject({
  data: z.strictObject({
    result: z.literal("success"),
    usage: z.strictObject(usage).describe("The daily allowance; this request is counted."),
    downloadsData: z.strictObject({
      start: day,
      end: day,
      downloads: z
        .array(
          z.strictObject({
            store: z.string(),
            ...counts,
            downloadsArray: z.array(z.strictObject({ date: day, ...counts })).optional(),
          }),
        )
        .describe(
          "`All Stores` first, without `downloadsArray`; then each store, by name, with every day of the range.",
        ),
    }),
  }),
});

/** A failed downloads report. */
export const METRICS_ERROR = z.strictObject({
  data: z.strictObject({
    result: z.literal("error"),
    responseBody: z.string().describe("For people."),
    errorCode: z.string(),
    ...z.object(usage).partial().shape,
    resetAt: z.iso.datetime({ offset: true }).optional().describe("When the allowance starts anew."),
  }),
});
