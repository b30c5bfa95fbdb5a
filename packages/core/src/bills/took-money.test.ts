import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { anOrder, aRefund, stub } from "../testing/stubs.js";
import { type MoneyPorts, movedMoney, tookMoney } from "./took-money.js";
import { orThrow } from "../errors/or-throw.js";

const DAY = { startsAt: 1_000, endsAt: 2_000 };
const MERCHANT = { payToolIds: ["tool-1"] };

type Times = readonly (readonly [requestedAt: number, confirmedAt: number])[];

/** Creates ports with confirmed refunds. Each has the times of its request and its confirmation. */
function recordWith(times: Times): MoneyPorts {
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
  };
}

const OTHERS: Times = Array.from({ length: 150 }, () => [900, 1_200]);

it.each<[string, Times, boolean]>([
  ["a refund of the day", [[1_100, 1_200]], true],
  ["a refund that was requested before the day", [[900, 1_200]], false],
  ["a refund that was found at the wallet on the day", [[1_200, 1_200]], false],
  ["a refund of the day behind a page of others", [...OTHERS, [1_100, 1_200]], true],
  ["nothing", [], false],
])("returns whether money moved on the day: %s", async (_, times, moved) => {
  const record = recordWith(times);
  expect(await orThrow(movedMoney(record, MERCHANT, DAY))).toBe(moved);
  expect(await orThrow(tookMoney(record, MERCHANT, DAY))).toBe(times.length > 0);
});
