import { errAsync, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import type { KeptBillExpiry } from "../bills/kept-bill-store.js";
import { policyWith } from "../policy.js";
import { stub } from "../testing/stubs.js";
import { type HousekeepingPorts, runHousekeeping } from "./run-housekeeping.js";
import { orThrow } from "../errors/or-throw.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 00:30 on 10 May in Shanghai, and still 9 May in London. */
const NOW = Date.UTC(2026, 4, 9, 16, 30);

const policy = policyWith({
  codeRetention: HOUR,
  quotaRetention: 2 * DAY,
  sessionRetention: 3 * HOUR,
  sessionTtl: 10 * DAY,
  billLineRetention: 4 * HOUR,
  keptBillRetention: 10 * DAY,
  eventDeliveryRetention: 5 * HOUR,
  housekeepingRows: 10,
  housekeepingSteps: 3,
});

/** Creates stores with this many removable rows of each kind, and records the calls. */
function openFixture(
  stored: Partial<
    Record<
      | ("codes" | "quotas" | "spacings" | "sessions")
      | ("idle" | "billLines" | "billSettlements" | "keptBills" | "eventDeliveries" | "operatorSessions")
      | ("signInAttempts" | "abandonedChanges" | "names"),
      number
    >
  >,
  changes = {},
) {
  const left = {
    codes: 0,
    quotas: 0,
    spacings: 0,
    sessions: 0,
    idle: 0,
    billLines: 0,
    billSettlements: 0,
    keptBills: 0,
    eventDeliveries: 0,
    operatorSessions: 0,
    signInAttempts: 0,
    abandonedChanges: 0,
    names: 0,
    ...stored,
  };
  const calls: (readonly unknown[])[] = [];
  const remove = (kind: keyof typeof left) => (before: number | string, limit: number) => {
    calls.push([kind, before, limit]);
    const removed = Math.min(limit, left[kind]);
    left[kind] -= removed;
    return okAsync(removed);
  };
  const ports: HousekeepingPorts = {
    clock: { now: () => NOW, sleep: async () => undefined },
    policy: { ...policy, ...changes },
    auditLog: stub({
      recordAbandoned: (before: number, at: number, limit: number) =>
        remove("abandonedChanges")(before - at, limit),
    }),
    billLines: stub({ removeBefore: remove("billLines") }),
    billSettlements: stub({ removeBefore: remove("billSettlements") }),
    keptBills: stub({
      remove: ({ before, day }: KeptBillExpiry, limit: number) =>
        remove("keptBills")(`${day} ${before - NOW}`, limit),
    }),
    codes: stub({ removeExpired: remove("codes") }),
    customerData: stub({ forgetNames: remove("names") }),
    eventDeliveries: stub({ removeDelivered: remove("eventDeliveries") }),
    operatorSessions: stub({ removeExpired: remove("operatorSessions") }),
    quotas: stub({ removeBefore: remove("quotas"), removeSpacings: remove("spacings") }),
    signInAttempts: stub({ removeBefore: remove("signInAttempts") }),
    sessions: stub({ removeExpired: remove("sessions"), forgetIdle: remove("idle") }),
  };
  return { ports, calls, left };
}

it("removes each kind of row after its retention period", async () => {
  const { ports, calls } = openFixture({});
  const done = await runHousekeeping(ports);
  expect(calls).toEqual([
    ["codes", NOW - HOUR, 10],
    ["quotas", "2026-05-08", 10],
    ["spacings", NOW - 2 * DAY, 10],
    ["sessions", NOW - 3 * HOUR, 10],
    ["idle", NOW - 10 * DAY - 3 * HOUR, 10],
    ["billLines", NOW - 4 * HOUR, 10],
    ["billSettlements", NOW - 4 * HOUR, 10],
    ["keptBills", `2026-04-29 ${-4 * HOUR}`, 10],
    ["eventDeliveries", NOW - 5 * HOUR, 10],
    ["operatorSessions", NOW - 3 * HOUR, 10],
    ["signInAttempts", NOW - HOUR / 4, 10],
    ["abandonedChanges", -HOUR / 6, 10],
  ]);
  expect(orThrow(done)).toEqual({
    phonesWithExpiredCodes: 0,
    quotas: 0,
    spacings: 0,
    sessions: 0,
    idleCustomers: 0,
    billLines: 0,
    eventDeliveries: 0,
    customerNames: 0,
    operatorSessions: 0,
    signInAttempts: 0,
    abandonedChanges: 0,
    more: false,
  });
});

it.each([
  ["Asia/Shanghai", "2026-05-10"],
  ["Europe/London", "2026-05-09"],
  ["Pacific/Kiritimati", "2026-05-10"],
  ["Pacific/Pago_Pago", "2026-05-09"],
])(
  "never removes counters of the current business day (%s), even without a retention period",
  async (timeZone, today) => {
    const { ports, calls } = openFixture({}, { timeZone, quotaRetention: 0 });
    await runHousekeeping(ports);
    expect(calls[1]).toEqual(["quotas", today, 10]);
  },
);

it("keeps the time of a number's last SMS until a long smsCooldown has ended", async () => {
  const { ports, calls } = openFixture({}, { smsCooldown: 30 * DAY });
  await runHousekeeping(ports);
  expect(calls[2]).toEqual(["spacings", NOW - 30 * DAY, 10]);
});

it("runs steps until one removes fewer rows than its limit", async () => {
  const { ports, calls } = openFixture({
    codes: 25,
    quotas: 10,
    spacings: 9,
    sessions: 1,
    idle: 29,
    billLines: 3,
    billSettlements: 4,
    keptBills: 8,
    eventDeliveries: 2,
    operatorSessions: 5,
    signInAttempts: 6,
    abandonedChanges: 7,
  });
  const done = await runHousekeeping(ports);
  const kinds = calls.map(([kind]) => kind).join(" ");
  expect(kinds).toBe(
    "codes codes codes quotas quotas spacings sessions idle idle idle billLines billSettlements keptBills eventDeliveries operatorSessions signInAttempts abandonedChanges",
  );
  expect(orThrow(done)).toEqual({
    phonesWithExpiredCodes: 25,
    quotas: 10,
    spacings: 9,
    sessions: 1,
    idleCustomers: 29,
    billLines: 15,
    eventDeliveries: 2,
    customerNames: 0,
    operatorSessions: 5,
    signInAttempts: 6,
    abandonedChanges: 7,
    more: false,
  });
});

it("stops after the steps of one run, reports that there may be more, and still handles the other kinds", async () => {
  const { ports, left } = openFixture({ codes: 35, sessions: 5 });
  const done = await runHousekeeping(ports);
  expect(orThrow(done)).toMatchObject({ phonesWithExpiredCodes: 30, sessions: 5, more: true });
  expect(left).toMatchObject({ codes: 5, sessions: 0 });
});

it("removes the names of customers only if the policy has a period for them", async () => {
  const { ports, calls } = openFixture({ names: 35 }, { customerNameRetention: 90 * DAY });
  const done = await runHousekeeping(ports);
  const step = ["names", NOW - 90 * DAY, 10];
  expect(calls.filter(([kind]) => kind === "names")).toEqual([step, step, step]);
  expect(orThrow(done)).toMatchObject({ customerNames: 30, more: true });
});

it("fails if the storage fails", async () => {
  const { ports } = openFixture({});
  const broken = { name: "storage.unavailable" } as const;
  const quotas = { ...ports.quotas, removeBefore: () => errAsync(broken) };
  expect((await runHousekeeping({ ...ports, quotas }))._unsafeUnwrapErr()).toEqual(broken);
});
