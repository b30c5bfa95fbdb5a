import * as z from "zod";
import { ERROR_CATALOG } from "../../errors/catalog.js";
import { PAYMENT_STATUSES } from "../../orders/payment-status-moves.js";
import type { PayChannel } from "../../pay-tools/pay-tool.js";
import { lazySchema } from "../../shared/input.js";
import type { PayPayload } from "../../wallets/wallet.js";
import {
  type ChannelNaming,
  nameOfPayChannel,
  payChannelName,
  perChannelNames,
} from "./pay-channel-names.js";

/** Creates the schema of a success envelope. */
function success<D extends z.ZodType>(data: D) {
  return z.strictObject({
    code: z.literal(0).meta({ type: "integer" }),
    msg: z.literal("success"),
    data,
  });
}

const time = () => z.int().describe("Milliseconds since the Unix epoch.");
const cents = () => z.int().min(1).describe("Cents: 100 are 1 yuan.");

const paymentStatus = lazySchema(() =>
  z
    .enum(PAYMENT_STATUSES)
    .describe("Only `PAID` confirms a payment. Treat every other value, also an unknown one, as not paid.")
    .meta({ id: "PaymentStatus" }),
);

const order = perChannelNames((policy) =>
  z
    .strictObject({
      id: z.string().describe("The order's id, which Tillkit generates. The wallets call it `out_trade_no`."),
      appId: z.string().describe("The service-side application id."),
      bizNo: z.string().describe("The caller's number for the purchase attempt."),
      amount: cents(),
      goodsTitle: z.string(),
      payChannel: payChannelName(policy),
      paymentStatus: paymentStatus(),
      pmtDt: time()
        .optional()
        .describe("When the customer paid, by the wallet's clock. Absent before the payment."),
      gmtCreate: time(),
      gmtModified: time(),
      attachData: z
        .union([z.string(), z.looseObject({}), z.array(z.unknown())])
        .optional()
        .describe(
          "The value that was sent: a JSON value if the text is a JSON object or array, otherwise a string.",
        ),
      sourceFrom: z
        .string()
        .optional()
        .describe("The token sent at creation, also if the service no longer accepts it."),
      extInfo: z
        .looseObject({
          refundedAmount: cents()
            .optional()
            .describe("Cents refunded so far; absent before the first refund."),
        })
        .describe("Reserved for platform use. Ignore members that you do not know."),
    })
    .meta({ id: "Order" }),
);
/** An order in the answers of `/detail.json` and `/history.json`. */
export type OrderRecord = z.output<ReturnType<typeof order>>;

const payTool = perChannelNames((policy) =>
  z
    .strictObject({
      id: z.string(),
      appId: z.string().describe("The service-side application id."),
      accountId: z.string().describe("The merchant's account at the wallet."),
      payChannel: payChannelName(policy),
      signStatus: z.enum(["OK", "NO"]).describe("`OK`: the credentials were checked and work."),
      appEnv: z.enum(["DEV", "PROD"]).describe("Show the channel to real users when it is `OK` and `PROD`."),
      appName: z.string(),
      appPackageName: z.string(),
      appSignature: z.string(),
      extInfo: z.looseObject({}),
      gmtCreate: time(),
      gmtModified: time(),
    })
    .meta({ id: "PayTool" }),
);
/** A pay tool in the answer of `/payTools.json`. */
export type PayToolRecord = z.output<ReturnType<typeof payTool>>;

function titleOf(policy: ChannelNaming, payChannel: PayChannel, paySources: string): string {
  return `${nameOfPayChannel(policy, payChannel)}, ${paySources}`;
}

const walletAApp = perChannelNames((policy) =>
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
    .meta({ id: "WalletAAppPayload", title: titleOf(policy, "WALLET_A", "APP") }),
);
const walletBApp = perChannelNames((policy) =>
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
      app_auth_token: z
        .string()
        .exactOptional()
        .describe("The merchant's authorisation of its service provider."),
    })
    .meta({ id: "WalletBAppPayload", title: titleOf(policy, "WALLET_B", "APP") }),
);
const walletAJsapi = perChannelNames((policy) =>
  z
    .strictObject({
      appId: z.string().describe("The wallet-side application id."),
      timeStamp: z.string().describe("Seconds since the Unix epoch, as text."),
      nonceStr: z.string(),
      package: z.string().describe("`prepay_id=` and the number of the prepayment."),
      signType: z.literal("RSA"),
      paySign: z.string(),
    })
    .meta({ id: "WalletAJsapiPayload", title: titleOf(policy, "WALLET_A", "JSAPI") }),
);
const walletBJsapi = perChannelNames((policy) =>
  z
    .strictObject({ tradeNO: z.string().describe("The wallet's number of the trade.") })
    .meta({ id: "WalletBJsapiPayload", title: titleOf(policy, "WALLET_B", "JSAPI") }),
);

const payload = perChannelNames(
  (policy) =>
    z
      .union([
        walletAApp(policy),
        walletBApp(policy),
        z
          .strictObject({ code_url: z.string() })
          .meta({ id: "WalletANativePayload", title: titleOf(policy, "WALLET_A", "NATIVE") }),
        z
          .strictObject({ qr_code: z.string() })
          .meta({ id: "WalletBNativePayload", title: titleOf(policy, "WALLET_B", "NATIVE") }),
        z
          .strictObject({ h5_url: z.string() })
          .meta({ id: "WalletAH5Payload", title: titleOf(policy, "WALLET_A", "H5") }),
        z
          .strictObject({ pay_url: z.string() })
          .meta({ id: "WalletBWebPayload", title: titleOf(policy, "WALLET_B", "H5 and PC") }),
        walletAJsapi(policy),
        walletBJsapi(policy),
      ])
      .describe("The data that opens the payment. Its form depends on `payChannel` and `paySource`.")
      .meta({ id: "PayPayload" }) satisfies z.ZodType<PayPayload>,
);

const service = lazySchema(() =>
  z
    .strictObject({
      serviceNo: z.string(),
      serviceName: z.string(),
      expireTime: time().describe("When the service ends. Services that have ended are listed, too."),
    })
    .meta({ id: "Service" }),
);

/** Success of GET /payTools.json. */
export const payToolsResponse = perChannelNames((policy) =>
  success(z.array(payTool(policy))).meta({ id: "ListPayToolsResponse" }),
);

/** Success of POST /order.json. */
export const createOrderResponse = perChannelNames((policy) =>
  success(payload(policy))
    .extend({
      traceId: z
        .string()
        .describe("Identifies the request. Quote it when you contact the operator of the service."),
      message: z
        .string()
        .optional()
        .describe(`Equal to \`msg\`; ${nameOfPayChannel(policy, "WALLET_B")} only.`),
    })
    .meta({ id: "CreateOrderResponse" }),
);

/** Success of GET /detail.json. */
export const getOrderResponse = perChannelNames((policy) =>
  success(order(policy)).meta({ id: "GetOrderResponse" }),
);

/** Success of GET /history.json. */
export const listOrdersResponse = perChannelNames((policy) =>
  success(
    z.strictObject({
      payOrderList: z.array(order(policy)),
      totalCount: z.int().min(0).describe("The number of all orders that match the filter, over all pages."),
    }),
  ).meta({ id: "ListOrdersResponse" }),
);

/** `data` of GET /history.json. */
export type HistoryRecord = z.output<ReturnType<typeof listOrdersResponse>>["data"];

/** Success of GET /customerServiceMgmt/{customerIdentity}.json. */
export const listServicesResponse = lazySchema(() =>
  success(
    z.strictObject({
      totalCount: z.int().min(0),
      customerServiceList: z.array(service()),
      serverTime: time(),
    }),
  ).meta({ id: "ListServicesResponse" }),
);

/** `data` of GET /customerServiceMgmt/{customerIdentity}.json. */
export type ServicesRecord = z.output<ReturnType<typeof listServicesResponse>>["data"];

/** Success of GET /sms.json. */
export const sendCodeResponse = lazySchema(() => success(z.literal("ok")).meta({ id: "SendCodeResponse" }));

/** Success of POST /auth.json. */
export const logInResponse = lazySchema(() =>
  success(z.strictObject({ customerId: z.string(), token: z.string() })).meta({ id: "LogInResponse" }),
);

/** Success of GET /checkAuth.json. */
export const checkTokenResponse = lazySchema(() =>
  success(
    z
      .boolean()
      .describe("`true` if the token is valid. `false` if it is malformed, unknown, expired or revoked."),
  ).meta({ id: "CheckTokenResponse" }),
);

/** A failure of a payments endpoint, and the answer to an unknown path on every surface. */
export const failureResponse = lazySchema(() =>
  z
    .strictObject({
      code: z
        .literal(
          Object.values(ERROR_CATALOG)
            .map(({ code }) => code)
            .sort((a, b) => a - b),
        )
        .meta({ id: "FailureCode", type: "integer" }),
      msg: z.string().describe("A text for people. Do not branch on it."),
      traceId: z
        .string()
        .describe("Identifies the request. Quote it when you contact the operator of the service."),
    })
    .meta({ id: "Failure" }),
);
/** The envelope of a failure. */
export type FailureRecord = z.output<ReturnType<typeof failureResponse>>;
