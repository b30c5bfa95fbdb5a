import { context, propagation } from "@opentelemetry/api";

/**
 * Returns the headers that pass the active trace on, such as `traceparent`.
 *
 * Pass it as `requestHeaders` to a wallet adapter if the wallets may see your trace ids. No wallet
 * signs or reads these headers. Returns no headers without an active trace.
 *
 * @example
 * ```ts
 * const wallet = alipayWallet({ clock, requestHeaders: traceHeaders });
 * ```
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
