import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import { getOrder, getOrderInput, getOrderQuery } from "./get-order.js";
import type { Order } from "./order.js";
import type { OrderStore } from "./order-store.js";
import type { RefreshPorts } from "./refresh-order.js";
import { orThrow } from "../errors/or-throw.js";

const NOW = 5_000;
const INTERVAL = 100;

/** Creates a store of one order, and a wallet that does not know it. Records the queries. */
function openFixture(order: Order, changes: Partial<OrderStore> = {}) {
  const requests: string[] = [];
  const ports: RefreshPorts = {
    orders: stub<OrderStore>({
      findOwn: (_key, customerIdentity) =>
        okAsync(customerIdentity === order.customerIdentity ? order : undefined),
      claimQuery: (_key, now, interval) => {
        requests.push(`claim at ${now} for ${interval}`);
        return okAsync(true);
      },
      ...changes,
    }),
    refunds: stub({}),
    payTools: stub({ getCached: () => account }),
    wallets: {
      WALLET_A: stub({
        query: (_account, outTradeNo, { deadline }) => {
          requests.push(`query ${outTradeNo} within ${deadline}`);
          return okAsync(undefined);
        },
      }),
      WALLET_B: stub({}),
    },
    clock: { now: () => NOW, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: () => undefined },
    policy: { ...defaultPolicy, refreshInterval: INTERVAL, refreshDeadline: 800 },
  };
  const read = (customerIdentity = "c-1") =>
    parseInput(getOrderInput(ports.policy), { bizNo: "b-1", customerIdentity }).asyncAndThen((input) =>
      getOrder(ports, "app_1", input),
    );
  return { read, requests };
}

describe("getOrder", () => {
  it("queries a PENDING order at the wallet if it gets the claim", async () => {
    const { read, requests } = openFixture(anOrder());
    expect(await orThrow(read())).toEqual(anOrder());
    expect(requests).toEqual([`claim at ${NOW} for ${INTERVAL}`, "query order-1 within 800"]);
  });

  it.each([
    ["a moment after the last query", { queriedAt: NOW - INTERVAL + 1 }, 0],
    ["once the interval is over", { queriedAt: NOW - INTERVAL }, 2],
    ["PAID orders are never queried", { paymentStatus: "PAID" }, 0],
    ["closed orders are never queried", { paymentStatus: "CLOSE" }, 0],
  ] as const)(
    "queries only a PENDING order, and only after the interval: %s",
    async (_when, changes, questions) => {
      const { read, requests } = openFixture(anOrder(changes));
      expect(await orThrow(read())).toEqual(anOrder(changes));
      expect(requests).toHaveLength(questions);
    },
  );

  it("returns the stored order if another read is querying, or if claiming the query fails", async () => {
    const other = openFixture(anOrder(), { claimQuery: () => okAsync(false) });
    expect(await orThrow(other.read())).toEqual(anOrder());
    expect(other.requests).toEqual([]);
    const failing = openFixture(anOrder(), { claimQuery: () => errAsync({ name: "storage.unavailable" }) });
    expect(await orThrow(failing.read())).toEqual(anOrder());
  });

  it("fails alike for another customer's order and for an unknown order", async () => {
    const none = openFixture(anOrder(), { findOwn: () => okAsync(undefined) });
    expect((await none.read())._unsafeUnwrapErr()).toEqual({ name: "order.not-found" });
    expect((await openFixture(anOrder()).read("c-2"))._unsafeUnwrapErr()).toEqual({
      name: "order.not-found",
    });
  });
});

describe("getOrderQuery", () => {
  it("requires no customerIdentity, and validates one that is sent", () => {
    const read = (raw: object) => parseInput(getOrderQuery(defaultPolicy), { bizNo: "b-1", ...raw });
    expect(orThrow(read({}))).toEqual({ bizNo: "b-1" });
    expect(orThrow(read({ customerIdentity: "" })).customerIdentity).toBe("");
    expect(read({ customerIdentity: "\u0007" }).isErr()).toBe(true);
  });
});

describe("getOrderInput", () => {
  const longest = 255;
  const read = (customerIdentity: string) =>
    parseInput(getOrderInput(defaultPolicy), { bizNo: "b-1", customerIdentity });

  it("counts characters, not code units", () => {
    expect(read("\u{1F600}".repeat(longest)).isOk()).toBe(true);
  });

  it.each([
    ["x".repeat(longest + 1), "length"],
    ["\u0007", "control-characters"],
  ])("names the rule that %j violates", (customerIdentity, rule) => {
    const failure = read(customerIdentity)._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "parameter.invalid", parameter: "customerIdentity", rule });
  });
});
