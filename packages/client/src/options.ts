import type { TillkitError } from "./errors.js";

/** A request, without its parameters and credentials. */
export interface RequestInfo {
  /** The call, such as `orders.create`. */
  readonly operation: string;
  readonly method: "GET" | "POST";
  /** The path in the API reference, such as `/detail.json`. Contains no values. */
  readonly path: string;
  /** 1 for the first request of the call. */
  readonly attempt: number;
}

/** Functions for logs and metrics. They receive no credentials and no parameters. */
export interface ClientHooks {
  /** Called before a request. */
  readonly onRequest?: (request: RequestInfo) => void;
  /** Called after each response of the service, also if the response is a failure. */
  readonly onResponse?: (
    request: RequestInfo & {
      readonly status: number;
      readonly code: number | undefined;
      readonly traceId: string | undefined;
      readonly durationMs: number;
    },
  ) => void;
  /** Called before the client waits and repeats a request. */
  readonly onRetry?: (
    request: RequestInfo & { readonly delayMs: number; readonly error: TillkitError },
  ) => void;
  /** Called once for a call that rejects. `attempt` is the number of its last request. */
  readonly onError?: (request: RequestInfo & { readonly error: TillkitError }) => void;
}

/** How to reach the service. Durations are milliseconds. */
export interface TillkitClientOptions {
  /** Where the payments router is mounted, for example `https://pay.example.com/pay`. */
  readonly baseUrl: string;
  /** Where the metrics router is mounted. Defaults to the origin of `baseUrl`. */
  readonly metricsBaseUrl?: string;
  readonly appId: string;
  /** Keep it on a server. The constructor throws in a browser, unless `runtime` is set. */
  readonly appSecret: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The timeout of one request. Defaults to 8,000: longer than the service waits for a wallet. */
  readonly timeout?: number;
  /**
   * The time limit of a whole call, with its retries and pauses. Defaults to no limit.
   *
   * The client makes no retry whose pause would end after this limit.
   */
  readonly totalTimeout?: number;
  /** The maximum number of retries of a request. Defaults to 3; 0 disables retries. */
  readonly retries?: number;
  /** The largest response to read, in bytes. Defaults to 4 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * The header in which the service expects the customer's address. Defaults to
   * `x-payer-client-ip`.
   */
  readonly payerAddressHeader?: string;
  /** The language of the messages of failures. Defaults to the language of the service. */
  readonly language?: "en" | "zh";
  /**
   * Set `"server"` if the constructor mistakes your server for a browser.
   *
   * Never set it in code that users receive: they could read the secret.
   */
  readonly runtime?: "server";
  readonly hooks?: ClientHooks;
  /** Waits before a retry. For tests. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). For tests. Defaults to `Math.random`. */
  readonly random?: () => number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, also while it waits to retry. */
  readonly signal?: AbortSignal;
}

/** Options of `orders.create`. */
export interface CreateOrderOptions extends CallOptions {
  /**
   * The public IP address from which the customer's browser reaches your server.
   *
   * Required for `H5` at `WALLET_A`: the service sees only the address of your server.
   */
  readonly payerAddress?: string;
}
