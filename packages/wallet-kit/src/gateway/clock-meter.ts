import type { Clock, Observer, PayChannel, PayTool } from "@tillkit/core";
import { emit } from "./emit.js";

/** Reports a difference above this many milliseconds. WeChat Pay refuses one five minutes off. */
const OFF = 60_000;
/**
 * Reports the clock as right again at this difference. A limit below `OFF` avoids alternating
 * reports.
 */
const RIGHT = 30_000;
/** A wallet cuts its time to whole seconds. On average, this many milliseconds are missing. */
const CUT_OFF = 500;

/** The dependencies of {@link clockMeter}. */
export interface ClockMeterOptions {
  readonly payChannel: PayChannel;
  readonly clock: Pick<Clock, "now">;
  /** Receives `clock.measured`, and `clock.off` or `clock.right` if the skew crosses a limit. */
  readonly observer?: Observer | undefined;
}

/**
 * Compares the clock with the time that a wallet states in a response that arrived now.
 *
 * @param appEnv - the gateway that answered: each has a clock of its own.
 * @param sentAt - when the request was sent, by the clock, in epoch milliseconds.
 * @param walletTime - epoch milliseconds, cut to whole seconds. `undefined` or `NaN` is ignored.
 */
export type MeasureClock = (
  appEnv: PayTool["appEnv"],
  sentAt: number,
  walletTime: number | undefined,
) => void;

/**
 * Creates the function that measures the clock against the gateways of one wallet.
 *
 * The function assumes that the wallet states its time half a round trip before the response
 * arrives.
 *
 * @returns a function that only reads the clock and emits events.
 * @example
 * ```ts
 * import type { Ports } from "@tillkit/core";
 * import { clockMeter } from "@tillkit/wallet-kit";
 *
 * declare const ports: Ports;
 *
 * const { clock, observer } = ports;
 * const measureClock = clockMeter({ payChannel: "WALLET_A", clock, observer });
 * const sentAt = clock.now();
 * const response = await fetch("https://api.mch.weixin.qq.com/v3/certificates");
 * measureClock("PROD", sentAt, Date.parse(response.headers.get("date") ?? ""));
 * ```
 */
export function clockMeter({ payChannel, clock, observer }: ClockMeterOptions): MeasureClock {
  const off = new Set<PayTool["appEnv"]>();
  return (appEnv, sentAt, walletTime) => {
    if (walletTime === undefined || Number.isNaN(walletTime)) return;
    const skewMs = Math.round((sentAt + clock.now()) / 2 - (walletTime + CUT_OFF));
    emit(observer, { type: "clock.measured", payChannel, appEnv, skewMs });
    const wasOff = off.has(appEnv);
    const isOff = Math.abs(skewMs) > (wasOff ? RIGHT : OFF);
    if (isOff === wasOff) return;
    if (isOff) off.add(appEnv);
    else off.delete(appEnv);
    emit(observer, { type: isOff ? "clock.off" : "clock.right", payChannel, appEnv, skewMs });
  };
}
