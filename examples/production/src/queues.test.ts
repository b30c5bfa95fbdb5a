import type { DueWork } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { watchQueues } from "./queues.js";

/**
 * Returns the metrics of a collection while the order store gives this answer. Nothing else is due.
 */
async function collected(answer: () => ResultAsync<DueWork, StorageFailure>) {
  const { orders, refunds, billExceptions, clock } = memoryPorts();
  const register = new Registry();
  let requestCount = 0;
  const dueSince = () => {
    requestCount += 1;
    return answer();
  };
  watchQueues({ register }, { orders: { ...orders, dueSince }, refunds, billExceptions, clock }, 10);
  const lines = (await register.metrics()).split("\n").filter((line) => line.startsWith("tillkit_"));
  return { lines, requestCount };
}

it("reports how much is due and for how long, with one read", async () => {
  const now = memoryPorts().clock.now();
  expect(await collected(() => okAsync({ due: 3, oldestDueAt: now - 65_000 }))).toEqual({
    lines: [
      'tillkit_queue_due{queue="orders"} 3',
      'tillkit_queue_due{queue="refunds"} 0',
      "tillkit_bill_exceptions_open 0",
      'tillkit_queue_oldest_wait_seconds{queue="orders"} 65',
      'tillkit_queue_oldest_wait_seconds{queue="refunds"} 0',
    ],
    requestCount: 1,
  });
});

it("leaves the values out when storage fails", async () => {
  expect((await collected(() => errAsync({ name: "storage.unavailable" }))).lines).toEqual([]);
});

it("leaves the values out when storage does not answer", async () => {
  const { lines } = await collected(() => new ResultAsync(new Promise<never>(() => undefined)));
  expect(lines).toEqual([]);
});
