import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { BillException } from "../bills/bill-exception.js";
import { parseInput } from "../shared/input.js";
import { stub } from "../testing/stubs.js";
import { listBillExceptions, listBillExceptionsInput } from "./list-bill-exceptions.js";
import { resolveBillException, resolveBillExceptionInput } from "./resolve-bill-exception.js";

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

describe("resolveBillException", () => {
  const resolve = (id: string, state: "OPEN" | "GONE") => {
    const valid = parseInput(resolveBillExceptionInput(), { id, operator: "kim", note: "refunded by hand" });
    return resolveBillException(
      {
        clock: { now: () => 9, sleep: async () => undefined },
        billExceptions: stub({
          resolve: (requested, resolution) =>
            okAsync(
              requested === exception.id
                ? { moved: state === "OPEN", exception: { ...exception, state, ...resolution } }
                : undefined,
            ),
        }),
      },
      valid._unsafeUnwrap(),
    );
  };

  it("resolves an OPEN exception with the operator and the note", async () => {
    expect((await resolve("e-1", "OPEN"))._unsafeUnwrap()).toMatchObject({
      operator: "kim",
      note: "refunded by hand",
      at: 9,
    });
  });

  it("reports the state of an exception that is not OPEN, and an unknown id", async () => {
    expect((await resolve("e-1", "GONE"))._unsafeUnwrapErr()).toMatchObject({
      name: "bill-exception.not-open",
      exception: { state: "GONE" },
    });
    expect((await resolve("e-2", "OPEN"))._unsafeUnwrapErr()).toEqual({ name: "bill-exception.not-found" });
  });

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
    const input = parseInput(listBillExceptionsInput(), raw)._unsafeUnwrap();
    const page = await listBillExceptions({ billExceptions: stub(billExceptions) }, input);
    expect(page._unsafeUnwrap()).toEqual({ items: [exception], total: { count: 41, isLeast: false } });
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
