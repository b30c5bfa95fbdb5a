import {
  aConfirmation,
  aFoundException,
  aCode,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  expectOk,
  FIXTURE_TIME,
} from "@tillkit/contract-tests";
import { createApp, findTimelineBreak, type Order } from "@tillkit/core";
import { eraseCustomer, exportCustomer, findErasures, previewErasure } from "@tillkit/core/operators";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { exampleDigest } from "../state/example-digest.js";
import { memoryPorts } from "../ports/memory-ports.js";

const MOBILE_NO = "13800138000";
const BY = { operator: "kim", reason: "request 42", from: "cli", traceId: "" };
const MARKS = ["Li Lei", "MARK-attach", "MARK-payer", "MARK-reason"] as const;
const NOTE = "MARK-note";

/** Creates a shop with a customer who has logged in by phone and has paid orders with all texts. */
async function aShop() {
  const ports = memoryPorts();
  const { app } = await expectOk(createApp(ports, { name: "Notes" }));
  const { appId } = app;
  const hashes = ports.digest.keyed(`phone\n${appId}\n+86${MOBILE_NO}`);
  const customerIdentity = await expectOk(ports.sessions.identify(appId, hashes, "cus_1", ports.clock.now()));
  const session = { appId, customerId: customerIdentity, tokenHash: "0".repeat(64) };
  await expectOk(
    ports.sessions.open({ ...session, gmtCreate: FIXTURE_TIME, expiresAt: Number.MAX_SAFE_INTEGER }, 5),
  );
  await expectOk(ports.codes.add(aCode({ appId, phoneHash: hashes[0] }), { now: FIXTURE_TIME, perDay: 5 }));
  const anOrderWithTexts = async (changes: Partial<Order> = {}): Promise<Order> => {
    const texts = { customerName: "Li Lei", attachData: "MARK-attach", payerId: "MARK-payer" };
    const order = await expectOk(
      ports.orders.insertOnce(anOrder({ appId, customerIdentity, ...texts, ...changes }), anEntry()),
    );
    await expectOk(ports.orders.transition(order, aPayment({ entry: anEntry({ type: "PAID" }) })));
    const refund = aRefund({ appId, bizNo: order.bizNo, reason: "MARK-reason" });
    const asked = anEntry({ type: "REFUND_REQUESTED", reason: "MARK-reason", actor: "operator:li" });
    await expectOk(ports.refunds.request(refund, asked));
    await expectOk(ports.refunds.confirm(order, refund.refundNo, aConfirmation()));
    return order;
  };
  /** Stores a difference between the order and a bill, with the note of an operator. */
  const aNote = async ({ id: outTradeNo }: Order) => {
    const found = aFoundException({ outTradeNo });
    await expectOk(ports.billExceptions.report([found]));
    const resolution = { operator: "li", note: NOTE, at: FIXTURE_TIME, remedy: "settle" } as const;
    await expectOk(ports.billExceptions.resolve(found.id, resolution));
  };
  const entries = async () => (await expectOk(ports.auditLog.search({ limit: 100 }))).items;
  return { ports, appId, customerIdentity, session, hashes, anOrderWithTexts, aNote, entries };
}

type Shop = Awaited<ReturnType<typeof aShop>>;
const REFS = [
  ["phone number", () => ({ mobileNo: MOBILE_NO })],
  ["identity", ({ customerIdentity }: Shop) => ({ customerIdentity })],
] as const;

describe("exportCustomer", () => {
  it.each(REFS)("returns what is held, by %s, without hashes and operators", async (_name, refOf) => {
    const shop = await aShop();
    const { ports, appId, hashes } = shop;
    const order = await shop.anOrderWithTexts();
    await shop.anOrderWithTexts({ customerIdentity: "another", customerName: "Han Meimei" });
    const data = await expectOk(exportCustomer(ports, appId, refOf(shop)));
    expect(data).toMatchObject({
      appId,
      customerIdentities: ["cus_1"],
      login: {
        phones: [{ customerId: "cus_1" }],
        codes: [{ tries: 0 }],
        sessions: [{ customerId: "cus_1", gmtCreate: FIXTURE_TIME }],
      },
      orders: [{ order: { bizNo: order.bizNo, amount: order.amount }, refunds: [{ status: "CONFIRMED" }] }],
    });
    const text = JSON.stringify(data);
    for (const mark of MARKS) expect(text).toContain(mark);
    for (const absent of ["Han Meimei", hashes[0], "0".repeat(64), "operator:li", '"han"'])
      expect(text).not.toContain(absent);
  });

  it("returns empty lists for an unknown customer, and refuses a text that is no phone number", async () => {
    const { ports, appId } = await aShop();
    const data = await expectOk(exportCustomer(ports, appId, { mobileNo: "13900139000" }));
    expect([data.customerIdentities, data.orders, data.services, data.login.sessions]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    const failed = await exportCustomer(ports, appId, { mobileNo: "12" });
    expect(failed._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
  });
});

describe("eraseCustomer", () => {
  it.each(REFS)("erases every text, by %s, and keeps the money record", async (_name, refOf) => {
    const shop = await aShop();
    const { ports, appId, session } = shop;
    const noted = await shop.anOrderWithTexts();
    await shop.aNote(noted);
    const orders = [noted, await shop.anOrderWithTexts()];
    const preview = await expectOk(previewErasure(ports, appId, refOf(shop)));
    expect(preview).toEqual({
      customerIdentities: ["cus_1"],
      phones: 1,
      codes: 1,
      counters: 0,
      sessions: 1,
      orders: 2,
      texts: { customerName: 2, attachData: 2, payerId: 2, walletOptions: 0, reasons: 2 },
      notes: 1,
      inFlight: [],
    });
    expect(await expectOk(eraseCustomer(ports, appId, refOf(shop), BY))).toEqual(preview);
    const left = await expectOk(exportCustomer(ports, appId, { customerIdentity: "cus_1" }));
    const text = JSON.stringify(left);
    for (const mark of [...MARKS, NOTE]) expect(text).not.toContain(mark);
    expect(left.orders.map(({ order }) => order.amount)).toEqual(orders.map(({ amount }) => amount));
    expect(left.login).toEqual({ phones: [], codes: [], counters: [], spacings: [], sessions: [] });
    expect(await expectOk(ports.sessions.use(session, FIXTURE_TIME))).toBe(false);
    for (const order of orders)
      expect(
        findTimelineBreak(exampleDigest, order.id, await expectOk(ports.orders.timeline(order))),
      ).toBeUndefined();
  });

  it("does not erase a customer who gets the number while the orders are erased", async () => {
    const shop = await aShop();
    const { ports, appId, hashes, customerIdentity } = shop;
    await shop.anOrderWithTexts();
    const next = { appId, customerId: "cus_2", tokenHash: "2".repeat(64) };
    const { customerData } = ports;
    const moving = {
      ...ports,
      customerData: {
        ...customerData,
        eraseOrder: (...given: Parameters<typeof customerData.eraseOrder>) => {
          const moves = hashes.map((phoneHash) => ({ phoneHash, from: customerIdentity, to: "cus_2" }));
          const times = { gmtCreate: FIXTURE_TIME, expiresAt: Number.MAX_SAFE_INTEGER };
          return ports.sessions
            .movePhones(appId, moves, FIXTURE_TIME)
            .andThen(() => ports.sessions.open({ ...next, ...times }, 5))
            .andThen(() => customerData.eraseOrder(...given));
        },
      },
    };
    const erased = await expectOk(eraseCustomer(moving, appId, { mobileNo: MOBILE_NO }, BY));
    expect(erased).toMatchObject({ customerIdentities: ["cus_1"], phones: 0, orders: 1 });
    expect(await expectOk(ports.sessions.use(next, FIXTURE_TIME))).toBe(true);
    const phones = await expectOk(ports.sessions.findPhones(appId, hashes));
    expect(phones.map(({ customerId }) => customerId)).toEqual(hashes.map(() => "cus_2"));
    // The number was not erased, so the audit log must not contain its digest.
    expect(await expectOk(findErasures(ports, appId, { mobileNo: MOBILE_NO }))).toEqual([]);
  });

  it("writes one audit entry with counts and digests, and without any erased text", async () => {
    const shop = await aShop();
    const { ports, appId, hashes } = shop;
    await shop.anOrderWithTexts();
    await expectOk(eraseCustomer(ports, appId, { mobileNo: MOBILE_NO }, BY));
    const [entry, ...others] = await shop.entries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: "customer.erase",
      outcome: "done",
      subject: `customer:${appId}/cus_1`,
      appId,
      operator: "kim",
      reason: "request 42",
    });
    expect(JSON.parse(entry?.detail ?? "")).toEqual({
      phones: 1,
      codes: 1,
      counters: 0,
      sessions: 1,
      orders: 1,
      notes: 0,
      inFlight: 0,
      texts: { customerName: 1, attachData: 1, payerId: 1, walletOptions: 0, reasons: 1 },
      proofs: [ports.digest.keyed(`erasure\n${hashes[0]}`)[0]],
    });
    for (const absent of [...MARKS, hashes[0], MOBILE_NO])
      expect(JSON.stringify(entry)).not.toContain(absent);
  });

  it("changes nothing the second time", async () => {
    const shop = await aShop();
    const { ports, appId, customerIdentity } = shop;
    const order = await shop.anOrderWithTexts();
    await expectOk(eraseCustomer(ports, appId, { customerIdentity }, BY));
    const timeline = await expectOk(ports.orders.timeline(order));
    expect(await expectOk(eraseCustomer(ports, appId, { customerIdentity }, BY))).toEqual({
      customerIdentities: ["cus_1"],
      phones: 0,
      codes: 0,
      counters: 0,
      sessions: 0,
      orders: 0,
      texts: { customerName: 0, attachData: 0, payerId: 0, walletOptions: 0, reasons: 0 },
      notes: 0,
      inFlight: [],
    });
    expect(await expectOk(ports.orders.timeline(order))).toEqual(timeline);
  });

  it("reports the orders in flight, and erases them when they have ended", async () => {
    const shop = await aShop();
    const { ports, appId, customerIdentity } = shop;
    await shop.anOrderWithTexts();
    const open = await expectOk(
      ports.orders.insertOnce(anOrder({ appId, customerIdentity, customerName: "Li Lei" }), anEntry()),
    );
    await shop.aNote(open);
    expect(await expectOk(previewErasure(ports, appId, { mobileNo: MOBILE_NO }))).toMatchObject({ notes: 0 });
    const first = await expectOk(eraseCustomer(ports, appId, { mobileNo: MOBILE_NO }, BY));
    expect(first).toMatchObject({
      orders: 1,
      notes: 0,
      inFlight: [{ bizNo: open.bizNo, because: ["payment-open"] }],
      customerIdentities: ["cus_1"],
    });
    await expectOk(ports.orders.transition(open, aPayment()));
    const second = await expectOk(eraseCustomer(ports, appId, { customerIdentity: "cus_1" }, BY));
    expect(second).toMatchObject({ orders: 1, notes: 1, inFlight: [] });
  });

  it("is completed by a second call if the first call stopped in the middle", async () => {
    const shop = await aShop();
    const { ports, appId } = shop;
    await shop.anOrderWithTexts();
    await shop.anOrderWithTexts();
    let calls = 0;
    const { customerData } = ports;
    const failing = {
      ...ports,
      customerData: {
        ...customerData,
        eraseOrder: (...given: Parameters<typeof customerData.eraseOrder>) => {
          calls += 1;
          return calls === 2
            ? errAsync({ name: "storage.unavailable" as const })
            : customerData.eraseOrder(...given);
        },
      },
    };
    const failed = await eraseCustomer(failing, appId, { mobileNo: MOBILE_NO }, BY);
    expect(failed._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable" });
    expect((await shop.entries())[0]).toMatchObject({ action: "customer.erase", outcome: "unknown" });
    expect(await expectOk(findErasures(ports, appId))).toEqual([]);
    const again = await expectOk(eraseCustomer(ports, appId, { mobileNo: MOBILE_NO }, BY));
    expect(again).toMatchObject({ orders: 1, phones: 1, sessions: 1, inFlight: [] });
    expect(await expectOk(findErasures(ports, appId))).toHaveLength(1);
    const left = await expectOk(exportCustomer(ports, appId, { customerIdentity: "cus_1" }));
    for (const mark of MARKS) expect(JSON.stringify(left)).not.toContain(mark);
  });
});

describe("findErasures", () => {
  it("returns both customers of a phone number that has a different customer under each pepper", async () => {
    const { ports, appId } = await aShop();
    const mobileNo = "13700137000";
    const [current, ...others] = ports.digest.keyed(`phone\n${appId}\n+86${mobileNo}`);
    // Uses a digest with a second pepper, whose hash belongs to another customer.
    const keyed = (text: string) => [...ports.digest.keyed(text), `older of ${text}`] as const;
    const digest = { ...ports.digest, keyed };
    await expectOk(ports.sessions.identify(appId, [current, ...others], "cus_8", FIXTURE_TIME));
    const older = `older of phone\n${appId}\n+86${mobileNo}`;
    await expectOk(ports.sessions.identify(appId, [older], "cus_7", FIXTURE_TIME));
    const erased = await expectOk(eraseCustomer({ ...ports, digest }, appId, { mobileNo }, BY));
    expect(erased.customerIdentities).toEqual(["cus_7", "cus_8"]);
    const found = await expectOk(findErasures({ ...ports, digest }, appId, { mobileNo }));
    expect(found.map(({ customerIdentity }) => customerIdentity)).toEqual(["cus_7", "cus_8"]);
    const one = await expectOk(findErasures(ports, appId, { customerIdentity: "cus_8" }));
    expect(one).toHaveLength(1);
  });

  it("finds the erasure of a phone number and of an identity in one app", async () => {
    const { ports, appId } = await aShop();
    await expectOk(eraseCustomer(ports, appId, { mobileNo: MOBILE_NO }, BY));
    await expectOk(eraseCustomer(ports, appId, { customerIdentity: "cus_2" }, BY));
    const find = async (
      ...given: Parameters<typeof findErasures> extends [unknown, ...infer R] ? R : never
    ) => (await expectOk(findErasures(ports, ...given))).map(({ customerIdentity }) => customerIdentity);
    expect(await find(appId)).toEqual(["cus_2", "cus_1"]);
    expect(await find(appId, { mobileNo: MOBILE_NO })).toEqual(["cus_1"]);
    expect(await find(appId, { mobileNo: "13900139000" })).toEqual([]);
    expect(await find(appId, { customerIdentity: "cus_2" })).toEqual(["cus_2"]);
    expect(await find("app_2")).toEqual([]);
  });
});
