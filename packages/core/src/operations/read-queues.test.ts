import { errAsync, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { stub } from "../testing/stubs.js";
import { readQueues } from "./read-queues.js";
import { orThrow } from "../errors/or-throw.js";

const clock = { now: () => 7_000, sleep: async () => undefined };

it("counts the work that is due now, up to the limit", async () => {
  const requests: unknown[] = [];
  const ports: Parameters<typeof readQueues>[0] = {
    clock,
    orders: stub({
      dueSince: (now, atMost) => {
        requests.push(["orders", now, atMost]);
        return okAsync({ due: 9, oldestDueAt: 5_000 });
      },
    }),
    refunds: stub({
      dueSince: (now, atMost) => {
        requests.push(["refunds", now, atMost]);
        return okAsync({ due: 0 });
      },
    }),
    billExceptions: stub({
      openByKind: (atMost) => {
        requests.push(["billExceptions", atMost]);
        return okAsync([
          { kind: "BALANCE", count: 1, oldestAt: 6_500 },
          { kind: "PAYMENT_AMOUNT", count: 1, oldestAt: 6_000 },
        ]);
      },
    }),
    eventDeliveries: stub({
      dueSince: (now, atMost) => {
        requests.push(["events", now, atMost]);
        return okAsync({ due: 3, oldestDueAt: 6_500 });
      },
      parkedSince: (atMost) => {
        requests.push(["parkedEvents", atMost]);
        return okAsync({ due: 1, oldestDueAt: 4_000 });
      },
    }),
  };
  const queues = await readQueues(ports, 9);
  expect(orThrow(queues)).toEqual({
    orders: { due: 9, oldestDueAt: 5_000 },
    refunds: { due: 0 },
    billExceptions: { due: 2, oldestDueAt: 6_000 },
    events: { due: 3, oldestDueAt: 6_500 },
    parkedEvents: { due: 1, oldestDueAt: 4_000 },
  });
  expect(requests).toEqual([
    ["orders", 7_000, 9],
    ["refunds", 7_000, 9],
    ["events", 7_000, 9],
    ["parkedEvents", 9],
    ["billExceptions", 9],
  ]);
});

it("fails if the storage fails", async () => {
  const broken = { name: "storage.unavailable" } as const;
  const ports: Parameters<typeof readQueues>[0] = {
    clock,
    orders: stub({ dueSince: () => okAsync({ due: 0 }) }),
    refunds: stub({ dueSince: () => errAsync(broken) }),
    billExceptions: stub({}),
    eventDeliveries: stub({}),
  };
  expect((await readQueues(ports))._unsafeUnwrapErr()).toEqual(broken);
});
