import { aFoundException, expectOk } from "@tillkit/contract-tests";
import { outRefundNo } from "@tillkit/core/ports";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Browser, openDashboard, sendForText } from "./testing/open-dashboard.js";
import { anApp, aPaidOrder } from "./testing/paid-orders.js";

const refundRows = z.object({
  items: z.array(z.object({ refundNo: z.string() })),
  older: z.string().optional(),
});
const orderAnswer = z.object({
  next: z.array(z.string()),
  refunds: z.array(z.object({ status: z.string() })),
});

/** A shop with two paid orders of six yuan in each of two apps. */
async function aShop() {
  const dashboard = openDashboard(memoryPorts());
  const { ports, create, signIn } = dashboard;
  const [mine, other] = [await anApp(ports, "Mine"), await anApp(ports, "Other")];
  const orders = [];
  for (const appId of [mine, other])
    for (const bizNo of ["b-1", "b-2"]) {
      orders.push(await aPaidOrder(ports, appId, bizNo));
      ports.clock.advance(1_000);
    }
  await create("fin", "finance");
  await create("li", "support", [mine]);
  const [fin, li] = [await signIn("fin"), await signIn("li")];
  const refund = async (appId: string, bizNo: string, refundNo: string, amount: number) => {
    const made = await fin.post(`/api/orders/${appId}/${bizNo}/refunds`, {
      refundNo,
      amount,
      reason: "test",
    });
    expect(made.status).toBe(200);
    ports.clock.advance(1_000);
  };
  const numbers = async (by: Browser, query: string) => {
    const { status, json } = await by.get("/api/refunds", query);
    expect(status).toBe(200);
    return refundRows.parse(json).items.map(({ refundNo }) => refundNo);
  };
  const file = async (by: Browser, path: string, query = "") => {
    const request = { path, query, headers: { cookie: by.cookie } };
    const { status, text } = await sendForText(dashboard.surface, request);
    expect(status).toBe(200);
    return text.trimEnd().split("\r\n").slice(1);
  };
  const [first] = orders;
  if (first === undefined) throw new Error("There are no orders.");
  return { ...dashboard, mine, other, first, fin, li, refund, numbers, file };
}

describe("the list of refunds", () => {
  it("is filtered, and its export has the same refunds in the same order", async () => {
    const { mine, other, first, fin, li, refund, numbers, file } = await aShop();
    await refund(mine, "b-1", "r-1", 100);
    await refund(mine, "b-2", "r-2", 200);
    await refund(other, "b-1", "r-3", 300);
    for (const [query, expected] of [
      ["", ["r-3", "r-2", "r-1"]],
      [`appId=${mine}`, ["r-2", "r-1"]],
      ["min=200&max=200", ["r-2"]],
      ["number=r-3", ["r-3"]],
      ["number=b-1", ["r-3", "r-1"]],
      ["number=%27b-2%27", ["r-2"]],
      [`number=${outRefundNo(first, { refundNo: "r-1" })}`, ["r-1"]],
      ["operator=fin&status=CONFIRMED", ["r-3", "r-2", "r-1"]],
      ["operator=li", []],
      ["status=FAILED", []],
    ] as const) {
      expect({ query, found: await numbers(fin, query) }).toEqual({ query, found: expected });
      const lines = await file(fin, "/api/refunds.csv", query);
      expect({ query, found: lines.map((line) => line.split(",")[3]) }).toEqual({ query, found: expected });
    }
    expect((await fin.get("/api/refunds", "number=r-3")).json["items"]).toMatchObject([
      { refundNo: "r-3", payChannel: "WALLET_A" },
    ]);
    expect((await file(fin, "/api/refunds.csv", "number=r-3"))[0]?.split(",")[4]).toBe("WALLET_A");
    expect(await numbers(li, "")).toEqual(["r-2", "r-1"]);
    expect((await file(li, "/api/refunds.csv")).map((line) => line.split(",")[3])).toEqual(["r-2", "r-1"]);
    expect((await li.get("/api/refunds", `appId=${other}`)).status).toBe(404);
  });

  it.each([
    ["from=5&until=5", "until"],
    ["confirmedFrom=6&confirmedUntil=5", "confirmedUntil"],
    ["min=2&max=1", "max"],
  ])("refuses the reversed range %s, and names the parameter of its end", async (query, parameter) => {
    const { fin } = await aShop();
    for (const path of ["/api/refunds", "/api/refunds.csv"]) {
      const { status, json } = await fin.get(path, query);
      expect([status, json["error"]]).toMatchObject([400, { name: "parameter.invalid", parameter }]);
    }
  });

  it.each(["from=5&until=5", "min=2&max=1", "status=paid", "from=x", "number=", "before=x"])(
    "answers 400 to %s",
    async (query) => {
      const { fin } = await aShop();
      expect((await fin.get("/api/refunds", query)).status).toBe(400);
    },
  );

  it("is found by the search, without the refunds of orders that the search finds", async () => {
    const { mine, fin, li, other, refund } = await aShop();
    await refund(mine, "b-1", "find-1", 100);
    await refund(other, "b-1", "find-1", 100);
    const found = await fin.get("/api/orders/search", `q=${encodeURIComponent("`find-1")}`);
    expect(found.json).toMatchObject({ items: [], refunds: [{ appId: other }, { appId: mine }] });
    expect((await li.get("/api/orders/search", "q=find-1")).json).toMatchObject({
      refunds: [{ appId: mine }],
    });
    expect((await li.get("/api/orders/search", "q=b-1")).json).toMatchObject({
      items: [{ bizNo: "b-1" }],
      refunds: [],
    });
  });
});

describe("the sync of a refund", () => {
  it.each(["/refunds/r-1/sync", "/sync"])("by %s asks the wallet, and records its answer", async (action) => {
    const { ports, mine, first, fin, li, refund } = await aShop();
    ports.wallets.WALLET_A.holdNextRefund();
    await refund(mine, "b-1", "r-1", 600);
    const path = `/api/orders/${mine}/b-1`;
    const before = orderAnswer.parse((await fin.get(path)).json);
    expect(before.next.join()).toContain("The refund r-1 is open. The next query");
    ports.wallets.WALLET_A.endRefund(first.id, outRefundNo(first, { refundNo: "r-1" }), "CONFIRMED");
    const synced = await li.post(`${path}${action}`, { reason: "the customer called" });
    expect(synced.status).toBe(200);
    expect(orderAnswer.parse(synced.json)).toMatchObject({ next: [], refunds: [{ status: "CONFIRMED" }] });
    const { items } = await expectOk(ports.auditLog.search({ subject: "b-1", operator: "li", limit: 1 }));
    expect(items).toMatchObject([{ reason: "the customer called", outcome: "done" }]);
  });

  it("fails for a refund that does not exist, or in an app that the operator does not see", async () => {
    const { mine, other, li } = await aShop();
    const reason = { reason: "test" };
    const unknown = await li.post(`/api/orders/${mine}/b-1/refunds/none/sync`, reason);
    expect(unknown).toMatchObject({ status: 404, json: { error: { name: "refund.not-found" } } });
    expect((await li.post(`/api/orders/${other}/b-1/refunds/none/sync`, reason)).status).toBe(404);
  });
});

describe("the list of bill exceptions", () => {
  it("is filtered, and its export has the same exceptions in the same order", async () => {
    const { ports, mine, other, fin, li, file } = await aShop();
    const found = [mine, other, mine].map((appId, nth) =>
      aFoundException({ id: `x-${nth}`, day: `2026-01-1${nth}`, order: { appId, bizNo: "b-1" }, at: nth }),
    );
    await expectOk(ports.billExceptions.report(found));
    const ids = async (by: Browser, query = "") => {
      const { json } = await by.get("/api/bill-exceptions", query);
      return z
        .object({ items: z.array(z.object({ id: z.string() })) })
        .parse(json)
        .items.map(({ id }) => id);
    };
    const exported = async (by: Browser, query = "") =>
      (await file(by, "/api/bill-exceptions.csv", query)).map((line) => line.split(",")[0]);
    for (const [by, query, expected] of [
      [fin, "", ["x-2", "x-1", "x-0"]],
      [fin, "day=2026-01-11", ["x-1"]],
      [fin, "state=RESOLVED", []],
      [li, "", ["x-2", "x-0"]],
    ] as const) {
      expect(await ids(by, query)).toEqual(expected);
      expect(await exported(by, query)).toEqual(expected);
    }
    for (const query of ["day=2026-02-30", "kind=x", "state=open", "before=x"])
      expect((await fin.get("/api/bill-exceptions", query)).status).toBe(400);
  });

  it("reports which of several exceptions could not be resolved, and why", async () => {
    const { ports, fin, li } = await aShop();
    const found = [aFoundException({ id: "x-1" }), aFoundException({ id: "x-2" })];
    await expectOk(ports.billExceptions.report(found));
    await expectOk(
      ports.billExceptions.resolve("x-2", { operator: "other", note: "mine", at: 1, remedy: "settle" }),
    );
    const several = { ids: ["x-1", "x-2", "x-3", "x-1"], note: "a test day" };
    const { status, json } = await fin.post("/api/bill-exceptions/resolve", several);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      resolved: [{ id: "x-1", operator: "fin", note: "a test day" }],
      refused: [
        { id: "x-2", failure: "bill-exception.not-open" },
        { id: "x-3", failure: "bill-exception.not-found" },
      ],
    });
    const { items } = await expectOk(ports.auditLog.search({ subject: "bill-exception:x-1", limit: 5 }));
    expect(items).toMatchObject([{ operator: "fin", reason: "a test day", outcome: "done" }]);
    expect((await li.post("/api/bill-exceptions/resolve", several)).status).toBe(403);
  });
});
