import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import type { QuotaStore } from "../shared/quota-store.js";
import { stub } from "../testing/stubs.js";
import type { SharedLimit, SharedSmsLimits } from "./shared-sms-limits.js";
import { takeSharedSmsUnits } from "./take-shared-sms-units.js";

const limitOf = (period: string, limit: number): SharedLimit => ({
  key: { scope: "sms-app", subject: "app_1" },
  period,
  limit,
  startsAt: 0,
  endsAt: 60_000,
});

/** Takes the units of a message, and returns what is used of each period afterwards. */
async function usedAfter(limits: SharedSmsLimits) {
  const used = new Map<string, number>();
  const quotas = stub<QuotaStore>({
    take: (_key, { day, limit }) => {
      const before = used.get(day) ?? 0;
      if (before >= limit) return okAsync({ granted: false, used: before });
      used.set(day, before + 1);
      return okAsync({ granted: true, used: before + 1 });
    },
    giveBack: (_key, day) => {
      used.set(day, (used.get(day) ?? 0) - 1);
      return okAsync(undefined);
    },
  });
  const clock = { now: () => 0, sleep: async () => undefined };
  const taken = await takeSharedSmsUnits({ quotas, clock, observer: { onEvent: () => undefined } }, limits);
  return { isTaken: taken.isOk(), used: Object.fromEntries(used) };
}

it("gives the unit of one limit back if another limit refuses the message", async () => {
  const [hour, day] = [limitOf("hour", 5), limitOf("day", 0)];
  expect(await usedAfter({ app: [hour, limitOf("day", 5)], all: [] })).toEqual({
    isTaken: true,
    used: { hour: 1, day: 1 },
  });
  expect(await usedAfter({ app: [hour, day], all: [] })).toEqual({ isTaken: false, used: { hour: 0 } });
  expect(await usedAfter({ app: [day, hour], all: [] })).toEqual({ isTaken: false, used: { hour: 0 } });
});
