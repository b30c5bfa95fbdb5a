import type { Observer, PayChannel, ServiceEvent } from "@tillkit/core";
import type { Finding } from "./doctor-finding.js";

const WALLETS: Readonly<Record<PayChannel, string>> = { WALLET_A: "WeChat Pay", WALLET_B: "Alipay" };

/** Collects how far the clock of this machine is from the clocks of the wallets. */
export interface ClockReadings {
  /** Receives the events of the wallets' adapters. */
  readonly observer: Observer;
  /** Returns one problem for each gateway whose clock is too far from this machine's clock. */
  findings(): readonly Finding[];
}

/** Creates an empty collection. */
export function clockReadings(): ClockReadings {
  const off = new Map<string, Extract<ServiceEvent, { readonly type: "clock.off" | "clock.right" }>>();
  return {
    observer: {
      onEvent: (event) => {
        if (event.type === "clock.off") off.set(`${event.payChannel} ${event.appEnv}`, event);
        if (event.type === "clock.right") off.delete(`${event.payChannel} ${event.appEnv}`);
      },
    },
    findings: () =>
      [...off.values()].map(({ payChannel, appEnv, skewMs }) => {
        const seconds = Math.round(Math.abs(skewMs) / 1_000);
        const where = skewMs > 0 ? "ahead of" : "behind";
        return {
          kind: "clock-skew",
          subject: "clock",
          message: `This machine's clock is ${seconds} s ${where} the clock of ${WALLETS[payChannel]}${appEnv === "DEV" ? " (the gateway of DEV)" : ""}. The wallet refuses requests if the difference is more than five minutes.`,
          fix: "Synchronise the clock of this machine with NTP, for example with chrony: `chronyc tracking` shows the difference. Do the same on every host.",
        };
      }),
  };
}
