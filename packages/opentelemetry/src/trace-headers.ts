import { context, propagation } from "@opentelemetry/api";

/**
 * Returns the headers that pass the active trace on, such as `traceparent`.
 *
 * Pass this function as `requestHeaders` to a wallet adapter if the wallets may see your trace ids.
 * No wallet signs or reads these headers. They contain no baggage, because a caller's baggage may
 * contain personal data.
 *
 * @returns the headers, or none without an active trace.
 * @example
 * ```ts
 * import { alipayWallet } from "@tillkit/alipay";
 * import { traceHeaders } from "@tillkit/opentelemetry";
 * import { systemClock } from "@tillkit/runtime";
 *
 * const wallet = alipayWallet({ clock: systemClock, requestHeaders: traceHeaders });
 * ```
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  // A caller's baggage may contain personal data.
  propagation.inject(propagation.deleteBaggage(context.active()), headers);
  return headers;
}
