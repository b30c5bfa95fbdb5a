import type { Clock } from "@tillkit/core";
import type { WalletShipments } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";

/** How long a token is valid, in milliseconds. */
const LIFETIME_MS = 7_200_000;

/**
 * Creates the part of a wallet in memory that accepts reports of shipments.
 *
 * An account with the credential `shipments` reports its orders with `paySource` JSAPI.
 */
export function memoryShipments(clock: Pick<Clock, "now">): WalletShipments {
  const reported = new Set<string>();
  return {
    isReported: ({ credentials }, paySource) =>
      paySource === "JSAPI" && credentials["shipments"] !== undefined,
    requestAccessToken: () => okAsync({ token: "token", expiresAt: clock.now() + LIFETIME_MS }),
    report: (_account, { outTradeNo }) => {
      if (reported.has(outTradeNo)) return okAsync("already-reported");
      reported.add(outTradeNo);
      return okAsync("reported");
    },
  };
}
