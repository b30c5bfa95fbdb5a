import type { PayTool, ServiceEvent } from "@tillkit/core";
import { expect, it } from "vitest";
import { clockMeter } from "./clock-meter.js";

const WALLET = Date.UTC(2026, 10, 29, 12);

/**
 * Creates a meter, and returns a function that measures a call.
 *
 * The call takes `roundTrip` milliseconds, and the clock is `skew` milliseconds ahead.
 */
function aMeter(onEvent: (event: ServiceEvent) => void) {
  let now = 0;
  const measure = clockMeter({
    payChannel: "WALLET_A",
    clock: { now: () => now },
    observer: { onEvent },
  });
  return (skew: number, roundTrip = 0, appEnv: PayTool["appEnv"] = "PROD") => {
    // The wallet reads its clock in the middle of the round trip, and cuts it to a whole second.
    const stated = WALLET + 500;
    now = stated + skew + roundTrip / 2;
    measure(appEnv, now - roundTrip, Math.floor(stated / 1_000) * 1_000);
  };
}

it.each([0, 83_000, -83_000])(
  "the meter measures a clock that is %i ms off, whatever the round trip",
  (skew) => {
    const events: ServiceEvent[] = [];
    const call = aMeter((event) => events.push(event));
    for (const roundTrip of [0, 40, 4_000]) call(skew, roundTrip);
    const measured = events.filter(({ type }) => type === "clock.measured");
    const one = { type: "clock.measured", payChannel: "WALLET_A", appEnv: "PROD", skewMs: skew };
    expect(measured).toEqual([one, one, one]);
  },
);

it("the meter reports once that the clock is off, and once that it is right again", () => {
  const events: ServiceEvent[] = [];
  const call = aMeter((event) => events.push(event));
  for (const skew of [60_000, 60_001, 90_000, 31_000, -31_000, 30_000, 60_000, -60_001, 0]) call(skew);
  expect(events.filter(({ type }) => type !== "clock.measured")).toEqual([
    { type: "clock.off", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 60_001 },
    { type: "clock.right", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 30_000 },
    { type: "clock.off", payChannel: "WALLET_A", appEnv: "PROD", skewMs: -60_001 },
    { type: "clock.right", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 0 },
  ]);
});

it("the meter measures each gateway separately, so that events of two clocks do not alternate", () => {
  const events: ServiceEvent[] = [];
  const call = aMeter((event) => events.push(event));
  for (const appEnv of ["PROD", "DEV", "PROD", "DEV"] as const)
    call(appEnv === "DEV" ? 90_000 : 0, 0, appEnv);
  expect(events.filter(({ type }) => type !== "clock.measured")).toEqual([
    { type: "clock.off", payChannel: "WALLET_A", appEnv: "DEV", skewMs: 90_000 },
  ]);
});

it("the meter ignores a response without a readable time, and an observer that throws", () => {
  const events: ServiceEvent[] = [];
  const clock = { now: () => WALLET };
  const observer = { onEvent: (event: ServiceEvent) => void events.push(event) };
  const measure = clockMeter({ payChannel: "WALLET_B", clock, observer });
  measure("PROD", WALLET, undefined);
  measure("PROD", WALLET, Date.parse("no date"));
  expect(events).toEqual([]);
  const throwing = aMeter(() => {
    throw new Error("the observer failed");
  });
  expect(() => throwing(90_000)).not.toThrow();
  expect(() => clockMeter({ payChannel: "WALLET_B", clock })("PROD", WALLET, WALLET)).not.toThrow();
});
