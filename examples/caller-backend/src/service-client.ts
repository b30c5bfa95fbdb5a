import { z } from "zod";

/** The answer of the service, or `unreachable`. The `code` decides; the HTTP status is ignored. */
export type ServiceAnswer<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly code: number | "unreachable"; readonly msg: string };

const order = z.object({
  id: z.string(),
  bizNo: z.string(),
  amount: z.int(),
  paymentStatus: z.string(),
  attachData: z.unknown(),
});
/** The fields of an order record that this backend reads. `amount` is in cents. */
export type OrderRecord = z.infer<typeof order>;

const history = z.object({ payOrderList: z.array(order), totalCount: z.int() });
const payload = z.record(z.string(), z.union([z.string(), z.number()]));

/** The body of an order creation. `amount` is in cents. */
export interface OrderRequest {
  readonly bizNo: string;
  readonly amount: number;
  readonly goodsTitle: string;
  readonly payChannel: "WALLET_A" | "WALLET_B";
  readonly paySource: "APP" | "H5";
  readonly customerIdentity: string;
  readonly attachData: string;
}

/** The address and credentials of the service, and the timeouts and retries of a call. */
export interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly appId: string;
  readonly appSecret: string;
  /**
   * Timeout of one attempt in milliseconds.
   *
   * Defaults to 8,000: longer than the service waits for a wallet.
   */
  readonly timeout?: number;
  /** Attempts of one call. Defaults to 4. */
  readonly attempts?: number;
  /** Waits `ms` milliseconds before the next attempt. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** The calls that this backend makes. */
export interface ServiceClient {
  /**
   * Creates an order.
   *
   * Safe to retry with the same `bizNo`; the client retries unknown outcomes itself.
   *
   * @param payerClientIp - required for `H5`: the public IP address from which the customer's
   *   browser reaches this backend. The service sees only the address of this backend.
   */
  createOrder(request: OrderRequest, payerClientIp?: string): Promise<ServiceAnswer<z.infer<typeof payload>>>;
  getOrder(bizNo: string, customerIdentity: string): Promise<ServiceAnswer<OrderRecord>>;
  /** Returns one page of the customer's PAID orders, newest first. */
  listPaid(
    customerIdentity: string,
    pageNum: number,
    pageSize: number,
  ): Promise<ServiceAnswer<z.infer<typeof history>>>;
}

/**
 * The header in which the service expects the customer's address. Its operator chooses the name.
 */
const PAYER_HEADER = "x-payer-client-ip";

// The wallet's answer is pending or could not be verified, or the storage is unavailable. A retry
// may succeed.
const WORTH_RETRYING: readonly (number | "unreachable")[] = [30002, 30003, 40001, 99998, "unreachable"];

/** Creates a client of the payments API. Use it only on a server, which can keep the secret. */
export function serviceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, appId, appSecret, timeout = 8_000, attempts = 4 } = options;
  const { pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;

  async function call<T>(
    data: z.ZodType<T>,
    path: string,
    body?: object,
    more = {},
  ): Promise<ServiceAnswer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask(data, path, body, more);
      if (answer.ok || attempt === attempts || !WORTH_RETRYING.includes(answer.code)) return answer;
      await pause(200 * 2 ** attempt);
    }
  }

  async function ask<T>(data: z.ZodType<T>, path: string, body: object | undefined, more: object) {
    const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json", ...more };
    const content = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    try {
      const signal = AbortSignal.timeout(timeout);
      const response = await fetch(`${baseUrl}${path}`, { ...content, headers, signal });
      return read(data, await response.text());
    } catch (problem) {
      return unreachable(problem instanceof Error ? problem.message : "no answer");
    }
  }

  return {
    createOrder: (request, payerClientIp) =>
      call(
        payload,
        "/order.json",
        request,
        payerClientIp === undefined ? {} : { [PAYER_HEADER]: payerClientIp },
      ),
    getOrder: (bizNo, customerIdentity) => call(order, `/detail.json?${query({ bizNo, customerIdentity })}`),
    listPaid: (customerIdentity, pageNum, pageSize) => {
      const page = {
        customerIdentity,
        paymentStatus: "PAID",
        pageNum: `${pageNum}`,
        pageSize: `${pageSize}`,
      };
      return call(history, `/history.json?${query(page)}`);
    },
  };
}

/**
 * Parses an envelope. A response of another form does not come from the service, but from a proxy.
 */
function read<T>(data: z.ZodType<T>, text: string): ServiceAnswer<T> {
  const failure = z.object({ code: z.int(), msg: z.string() });
  const success = z.object({ code: z.literal(0), data });
  const envelope: unknown = JSON.parse(text);
  const good = success.safeParse(envelope);
  if (good.success) return { ok: true, data: good.data.data };
  const bad = failure.safeParse(envelope);
  return bad.success && bad.data.code !== 0
    ? { ok: false, ...bad.data }
    : unreachable("the response is not one of the service");
}

function unreachable(msg: string): ServiceAnswer<never> {
  return { ok: false, code: "unreachable", msg };
}

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}
