import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { BillException } from "../bills/bill-exception.js";
import type { BillResolution } from "../bills/bill-exception-store.js";
import type { OrderKey } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { LONGEST_KEY } from "../shared/limits.js";
import { anOrder, stub } from "../testing/stubs.js";
import { listBillExceptions, listBillExceptionsInput } from "./list-bill-exceptions.js";
import {
  assignBillException,
  assignBillExceptionInput,
  disownBillException,
  resolveBillException,
  resolveBillExceptionInput,
} from "./close-bill-exception.js";
import { orThrow } from "../errors/or-throw.js";

const exception: BillException = {
  id: "e-1",
  payChannel: "WALLET_A",
  appEnv: "PROD",
  accountId: "merchant-1",
  day: "2026-05-10",
  kind: "PAYMENT_NOT_HERE",
  outTradeNo: "order-1",
  asOf: 1,
  state: "OPEN",
  gmtCreate: 1,
  openedAt: 1,
  gmtModified: 1,
};

type Close = typeof resolveBillException;

/** Closes the exception `e-1`, which is stored with these changes. */
async function closing(close: Close, changes: Partial<BillException> = {}, id = "e-1") {
  const stored: BillException = { ...exception, ...changes };
  const valid = parseInput(resolveBillExceptionInput(), { id, operator: "kim", note: "refunded by hand" });
  return close(
    {
      clock: { now: () => 9, sleep: async () => undefined },
      billExceptions: stub({
        find: (requested: string) => okAsync(requested === stored.id ? stored : undefined),
        resolve: (_requested: string, resolution: BillResolution) =>
          okAsync({ moved: stored.state === "OPEN", exception: { ...stored, ...resolution } }),
      }),
    },
    orThrow(valid),
  );
}

const ORDER = { appId: "app_1", bizNo: "b-1" };

describe.each([
  ["resolveBillException", resolveBillException, "settle"],
  ["disownBillException", disownBillException, "not-ours"],
] as const)("%s", (_, close, remedy) => {
  it("closes an OPEN exception with the operator, the note and the remedy", async () => {
    expect(await orThrow(closing(close))).toMatchObject({
      operator: "kim",
      note: "refunded by hand",
      at: 9,
      remedy,
    });
  });

  it("reports the state of an exception that is not OPEN, and an unknown id", async () => {
    expect((await closing(close, { state: "GONE" }))._unsafeUnwrapErr()).toMatchObject({
      name: "bill-exception.not-open",
      exception: { state: "GONE" },
    });
    expect((await closing(close, {}, "e-2"))._unsafeUnwrapErr()).toEqual({
      name: "bill-exception.not-found",
    });
  });
});

describe("disownBillException", () => {
  it("is refused for a number that an order has, and for a whole day", async () => {
    for (const changes of [{ order: ORDER }, { kind: "BALANCE" }] as const)
      expect((await closing(disownBillException, changes))._unsafeUnwrapErr()).toMatchObject({
        name: "bill-exception.not-offered",
      });
    expect((await closing(disownBillException, { order: ORDER, remedy: "assign" })).isOk()).toBe(true);
  });
});

describe("assignBillException", () => {
  const assign = async (changes: Partial<BillException> = {}, bizNo = "b-1") => {
    const recorded: TimelineEntry[] = [];
    const stored: BillException = { ...exception, amountThere: 600, ...changes };
    const asked = { id: "e-1", appId: "app_1", bizNo, operator: "kim", note: "paid at the till" };
    const input = orThrow(parseInput(assignBillExceptionInput(defaultPolicy), asked));
    const assigned = await assignBillException(
      {
        clock: { now: () => 9, sleep: async () => undefined },
        orders: stub({
          find: (key: OrderKey) => okAsync(key.bizNo === "b-1" ? anOrder({}) : undefined),
          record: (_key: OrderKey, entry: TimelineEntry) => {
            recorded.push(entry);
            return okAsync(true);
          },
        }),
        billExceptions: stub({
          find: () => okAsync(stored),
          resolve: (_id: string, { at: _at, ...resolution }: BillResolution) =>
            okAsync(
              stored.state === "OPEN"
                ? { moved: true, exception: { ...stored, ...resolution, state: "RESOLVED" as const } }
                : { moved: false, exception: stored },
            ),
        }),
      },
      input,
    );
    return { assigned, recorded };
  };

  it("names the order, and records the line of the bill on its timeline", async () => {
    const { assigned, recorded } = await assign();
    expect(orThrow(assigned)).toMatchObject({ state: "RESOLVED", remedy: "assign", order: ORDER });
    const details = { kind: "PAYMENT_NOT_HERE", day: "2026-05-10", number: "order-1", amountThere: 600 };
    expect(recorded).toMatchObject([
      {
        type: "BILL_ASSIGNED",
        actor: "operator:kim",
        reason: "paid at the till",
        evidence: "e-1 600",
        alarm: false,
        details: JSON.stringify(details),
      },
    ]);
  });

  it("completes a repetition, and is refused for another order, operator or note", async () => {
    const before = {
      state: "RESOLVED",
      remedy: "assign",
      operator: "kim",
      note: "paid at the till",
    } as const;
    expect((await assign({ ...before, order: ORDER })).recorded).toHaveLength(1);
    const others = [
      { order: { ...ORDER, bizNo: "b-2" } },
      { order: ORDER, operator: "li" },
      { order: ORDER, note: "other" },
      { order: ORDER, remedy: "settle" },
    ] as const;
    for (const other of others) {
      const { assigned, recorded } = await assign({ ...before, ...other });
      expect(assigned._unsafeUnwrapErr()).toMatchObject({ name: "bill-exception.not-open" });
      expect(recorded).toEqual([]);
    }
  });

  it("accepts a bizNo that only an earlier policy allowed", () => {
    const asked = (bizNo: string) => {
      const parameters = { id: "e-1", appId: "app_1", bizNo, operator: "kim", note: "paid at the till" };
      return parseInput(assignBillExceptionInput(defaultPolicy), parameters);
    };
    expect(asked("b".repeat(LONGEST_KEY)).isOk()).toBe(true);
    expect(asked("b".repeat(LONGEST_KEY + 1))._unsafeUnwrapErr()).toMatchObject({
      parameter: "bizNo",
      rule: "length",
    });
  });

  it("records nothing for an unknown order, and for a number that an order has", async () => {
    const unknown = await assign({}, "b-9");
    expect(unknown.assigned._unsafeUnwrapErr()).toEqual({ name: "order.not-found" });
    const known = await assign({ order: { ...ORDER, bizNo: "b-2" } });
    expect(known.assigned._unsafeUnwrapErr()).toMatchObject({ name: "bill-exception.not-offered" });
    expect([...unknown.recorded, ...known.recorded]).toEqual([]);
  });
});

describe("resolveBillExceptionInput", () => {
  it.each(["id", "operator", "note"])("requires the %s", (parameter) => {
    const parameters = { id: "e-1", operator: "kim", note: "seen to", [parameter]: "" };
    expect(parseInput(resolveBillExceptionInput(), parameters)._unsafeUnwrapErr()).toMatchObject({
      parameter,
    });
  });
});

describe("listBillExceptions", () => {
  const send = async (raw: Readonly<Record<string, unknown>>) => {
    const queries: unknown[] = [];
    const billExceptions = stub({
      list: (query: unknown) => {
        queries.push(query);
        return okAsync({ items: [exception] });
      },
      count: () => okAsync({ count: 41, isLeast: false }),
    });
    const input = orThrow(parseInput(listBillExceptionsInput(), raw));
    const page = await listBillExceptions({ billExceptions: stub(billExceptions) }, input);
    expect(orThrow(page)).toEqual({ items: [exception], total: { count: 41, isLeast: false } });
    return queries;
  };

  it("lists a page of the OPEN exceptions by default", async () => {
    expect(await send({})).toEqual([{ state: "OPEN", limit: 20 }]);
    expect(await send({ state: "HEALED", day: "2026-01-31", limit: 10 })).toEqual([
      { state: "HEALED", day: "2026-01-31", limit: 10 },
    ]);
  });

  it.each([{ state: "ODD" }, { day: "2026-02-30" }, { kind: "ODD" }, { limit: 0 }, { limit: 1_001 }])(
    "rejects %j",
    (raw) => {
      expect(parseInput(listBillExceptionsInput(), raw).isErr()).toBe(true);
    },
  );
});
