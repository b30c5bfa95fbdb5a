import {
  isBoolean,
  isLogIn,
  isOrder,
  isOrderPage,
  isPayPayload,
  isPayTools,
  isServiceList,
  isString,
} from "./guards.js";
import type { CallOptions, CreateOrderOptions, TillkitClientOptions } from "./options.js";
import { envelopeOf, readReport } from "./read-answer.js";
import { refuseBrowser } from "./refuse-browser.js";
import { createSend } from "./transport.js";
import type {
  CreateOrderInput,
  DownloadsInput,
  DownloadsReport,
  GetOrderInput,
  ListOrdersInput,
  ListOrdersPageInput,
  LogIn,
  LogInInput,
  Order,
  OrderPage,
  PayPayload,
  PayTool,
  ServiceList,
} from "./types.js";

/** The default page size of `orders.list`: the largest that the default policy allows. */
const PAGE_SIZE = 100;

/** Orders of customers. */
export interface OrdersApi {
  /**
   * Creates an order, and returns the data that opens the payment.
   *
   * Safe to repeat: the same `bizNo` returns the same order, so the client repeats it itself.
   */
  readonly create: (input: CreateOrderInput, options?: CreateOrderOptions) => Promise<PayPayload>;
  /** Returns an order. Only `paymentStatus` `PAID` confirms a payment. */
  readonly get: (input: GetOrderInput, options?: CallOptions) => Promise<Order>;
  /**
   * Returns all orders of a customer, newest first, page by page as the loop needs them.
   *
   * With `paymentStatus`, the loop can miss orders if the status of other orders changes meanwhile.
   */
  readonly list: (input: ListOrdersInput, options?: CallOptions) => AsyncIterableIterator<Order>;
  /** Returns one page of a customer's orders. */
  readonly listPage: (input: ListOrdersPageInput, options?: CallOptions) => Promise<OrderPage>;
}

/** SMS login. */
export interface SessionsApi {
  /** Sends a code by SMS. Never repeated by the client, because each request may send an SMS. */
  readonly sendCode: (mobileNo: string, options?: CallOptions) => Promise<void>;
  /** Exchanges a code for a token. Never repeated by the client, because a code works once. */
  readonly logIn: (input: LogInInput, options?: CallOptions) => Promise<LogIn>;
  /** Returns whether the token is valid. */
  readonly checkToken: (token: string, options?: CallOptions) => Promise<boolean>;
}

/**
 * A client of one app. Every method rejects with a {@link TillkitError} and with nothing else.
 *
 * It repeats requests that may succeed later and are safe to repeat. The credentials are in no
 * property, so no log of the client contains them.
 *
 * @example
 * ```ts
 * import { TillkitClient } from "@tillkit/client";
 *
 * const client = new TillkitClient({
 *   baseUrl: "https://pay.example.com/pay",
 *   appId: process.env["APP_ID"] ?? "",
 *   appSecret: process.env["APP_SECRET"] ?? "",
 * });
 * const payload = await client.orders.create({
 *   bizNo: "order-1001",
 *   amount: 600,
 *   goodsTitle: "Membership for 30 days",
 *   payChannel: "WALLET_A",
 *   customerIdentity: "customer-7",
 * });
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/guide/call-the-api.md |
 *   Call the API from your server}
 */
export class TillkitClient {
  readonly orders: OrdersApi;
  readonly sessions: SessionsApi;
  readonly payTools: {
    /** Returns the pay tools of the app. */
    readonly list: (options?: CallOptions) => Promise<readonly PayTool[]>;
  };
  readonly services: {
    /** Returns the timed services of a customer. */
    readonly list: (customerIdentity: string, options?: CallOptions) => Promise<ServiceList>;
  };
  readonly downloads: {
    /** Returns the download counts of a range of days. Each request uses the daily allowance. */
    readonly get: (input: DownloadsInput, options?: CallOptions) => Promise<DownloadsReport>;
    /** Like `get`, but calls the legacy endpoint, which always answers with status 200. */
    readonly getLegacy: (input: DownloadsInput, options?: CallOptions) => Promise<DownloadsReport>;
  };

  /**
   * Creates a client. Sends nothing.
   *
   * @throws Error in a browser. TypeError if an option is missing or `baseUrl` is not usable.
   */
  constructor(options: TillkitClientOptions) {
    if (options.runtime !== "server") refuseBrowser();
    const { appId, appSecret, payerAddressHeader = "x-payer-client-ip", language } = options;
    if (!isHeaderValue(appId) || !isHeaderValue(appSecret)) {
      throw new TypeError("appId and appSecret must be ASCII text without spaces and line breaks around it.");
    }
    // Code without types may pass any text.
    const given: unknown = language;
    if (given !== undefined && given !== "en" && given !== "zh")
      throw new TypeError("language must be en or zh.");
    const baseUrl = addressOf("baseUrl", options.baseUrl);
    const metricsBaseUrl = addressOf("metricsBaseUrl", options.metricsBaseUrl ?? new URL(baseUrl).origin);
    const inLanguage = language === undefined ? {} : { "accept-language": language };
    const headers = { ...inLanguage, APP_ID: appId, APP_SECRET: appSecret };
    const send = createSend({ baseUrl, headers }, options);
    const sendMetrics = createSend({ baseUrl: metricsBaseUrl, headers: {} }, options);
    const get = { method: "GET", isRepeatable: true } as const;

    const listPage = (
      { customerIdentity, paymentStatus, pageNum, pageSize }: ListOrdersPageInput,
      call?: CallOptions,
    ) =>
      send(
        {
          ...get,
          operation: "orders.listPage",
          path: "/history.json",
          read: envelopeOf(isOrderPage),
          query: { customerIdentity, paymentStatus, pageNum, pageSize },
        },
        call,
      );
    this.orders = {
      create: (body, { payerAddress, ...call } = {}) =>
        send(
          {
            operation: "orders.create",
            method: "POST",
            path: "/order.json",
            isRepeatable: true,
            body,
            read: envelopeOf(isPayPayload),
            ...(payerAddress === undefined ? {} : { headers: { [payerAddressHeader]: payerAddress } }),
          },
          call,
        ),
      get: ({ bizNo, customerIdentity }, call) =>
        send(
          {
            ...get,
            operation: "orders.get",
            path: "/detail.json",
            read: envelopeOf(isOrder),
            query: { bizNo, customerIdentity },
          },
          call,
        ),
      list: (input, call) => eachOrder(listPage, input, call),
      listPage,
    };
    this.sessions = {
      sendCode: async (mobileNo, call) => {
        const read = envelopeOf(isString);
        const once = { operation: "sessions.sendCode", method: "GET", isRepeatable: false } as const;
        await send({ ...once, path: "/sms.json", query: { mobileNo }, read }, call);
      },
      logIn: (body, call) => {
        const once = { operation: "sessions.logIn", method: "POST", isRepeatable: false } as const;
        return send({ ...once, path: "/auth.json", body, read: envelopeOf(isLogIn) }, call);
      },
      checkToken: (token, call) =>
        send(
          {
            ...get,
            operation: "sessions.checkToken",
            path: "/checkAuth.json",
            query: { token },
            read: envelopeOf(isBoolean),
          },
          call,
        ),
    };
    this.payTools = {
      list: (call) =>
        send(
          { ...get, operation: "payTools.list", path: "/payTools.json", read: envelopeOf(isPayTools) },
          call,
        ),
    };
    this.services = {
      list: (customerIdentity, call) =>
        send(
          {
            ...get,
            operation: "services.list",
            path: "/customerServiceMgmt/{customerIdentity}.json",
            actualPath: `/customerServiceMgmt/${pathSegment(customerIdentity)}.json`,
            read: envelopeOf(isServiceList),
          },
          call,
        ),
    };
    const report = (operation: string, path: string) => (query: DownloadsInput, call?: CallOptions) =>
      sendMetrics({ ...get, operation, path, query, read: readReport }, call);
    this.downloads = {
      get: report("downloads.get", "/misc/v2/downloads-api"),
      getLegacy: report("downloads.getLegacy", "/misc/downloads-api"),
    };
  }
}

async function* eachOrder(
  listPage: OrdersApi["listPage"],
  input: ListOrdersInput,
  options: CallOptions | undefined,
): AsyncGenerator<Order, void, undefined> {
  const { pageSize = PAGE_SIZE } = input;
  const seen = new Set<string>();
  for (let pageNum = 1; ; pageNum += 1) {
    const { payOrderList, totalCount } = await listPage({ ...input, pageNum, pageSize }, options);
    for (const order of payOrderList) {
      // A new order moves older orders to the next page, so a page may repeat an order.
      if (seen.has(order.bizNo)) continue;
      seen.add(order.bizNo);
      yield order;
    }
    if (payOrderList.length === 0 || pageNum * pageSize >= totalCount) return;
  }
}

/** Encodes a text. Replaces half of a surrogate pair as `fetch` does, with U+FFFD. */
function pathSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/**
 * Whether `fetch` accepts a value in a header and sends it unchanged. Code without types may pass
 * any.
 */
function isHeaderValue(value: unknown): boolean {
  return typeof value === "string" && /^[!-~](?:[ -~]*[!-~])?$/.test(value);
}

function addressOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (!isPlain || /[?#]/.test(text))
    throw new TypeError(`${name} must be an http or https address without credentials, query and fragment.`);
  // `URL` ignores white space around the text.
  return text.trim().replace(/\/+$/, "");
}
