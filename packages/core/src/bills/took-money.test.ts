import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { anOrder, aRefund, stub } from "../testing/stubs.js";
import { movedMoney, tookMoney } from "./took-money.js";

const DAY = { startsAt: 1_000, endsAt: 2_000 };
const MERCHANT = { payToolIds: ["tool-1"] };

/** Opens a record with these confirmed refunds of the day, by the times of request and confirmation. */
function recordWith(times: readonly (readonly [requestedAt: number, confirmedAt: number])[]) {
  const refunds = times.map(([gmtCreate, gmtModified], index) => {
    const refund = aRefund({ refundNo: `r-${index}`, status: "CONFIRMED", gmtCreate, gmtModified });
    return { refund, order: anOrder() };
  });
  return {
    orders: stub({ listPaid: () => okAsync([]) }),
    refunds: stub({
      listConfirmed: ({ after, limit }) => {
        const from = after === undefined ? 0 : refunds.findIndex(({ refund }) => refund === after) + 1;
        return okAsync(refunds.slice(from, from + limit));
      },
    }),
  } as Parameters<typeof movedMoney>[0];
}

it.each([
  ["a refund of the day", [[1_100, 1_200]], true],
  ["a refund that was requested before the day", [[900, 1_200]], false],
  ["a refund that was found at the wallet on the day", [[1_200, 1_200]], false],
  [
    "a refund of the day behind a page of others",
    [...Array.from({ length: 150 }, () => [900, 1_200]), [1_100, 1_200]],
    true,
  ],
  ["nothing", [], false],
] as const)("%s proves that money moved: %j", async (_, times, moved) => {
  const record = recordWith(times as readonly (readonly [number, number])[]);
  expect((await movedMoney(record, MERCHANT, DAY))._unsafeUnwrap()).toBe(moved);
  expect((await tookMoney(record, MERCHANT, DAY))._unsafeUnwrap()).toBe(times.length > 0);
});
