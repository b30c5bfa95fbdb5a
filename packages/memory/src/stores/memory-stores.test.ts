import {
  aClient,
  aFullOrder,
  anAccount,
  anApp,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  aServiceType,
  aSession,
  expectFailure,
  expectOk,
} from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { memoryState } from "../state/memory-state.js";
import { memoryStores } from "./memory-stores.js";

/** Returns whether `value` is deeply frozen. */
function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

describe("memoryStores", () => {
  it("returns only frozen objects", async () => {
    const stores = memoryStores();
    const order = await expectOk(stores.orders.insertOnce(aFullOrder(), anEntry()));
    const paid = await expectOk(
      stores.orders.transition(order, aPayment({ extendService: { serviceNo: "S" } })),
    );
    const { bizNo, customerIdentity } = order;
    const session = aSession();
    await expectOk(stores.sessions.open(session, 5));
    const records: readonly unknown[] = [
      order,
      paid?.order,
      await expectOk(stores.orders.find(order)),
      ...(await expectOk(stores.orders.list({ appId: "app_1", customerIdentity, offset: 0, limit: 9 })))
        .items,
      ...(await expectOk(stores.orders.timeline(order))),
      await expectOk(stores.refunds.request(aRefund({ bizNo }), anEntry())),
      ...(await expectOk(stores.refunds.list(order))),
      ...(await expectOk(stores.refunds.claimDue(Number.MAX_SAFE_INTEGER, 9, 1))),
      ...(await expectOk(stores.services.list("app_1", customerIdentity))),
      await expectOk(stores.apps.insertOnce(anApp({ appId: "app_1" }))),
      await expectOk(stores.payTools.put(anAccount())),
      await expectOk(stores.serviceTypes.insertOnce(aServiceType())),
      await expectOk(stores.downloadsClients.insertOnce(aClient())),
      ...((await expectOk(stores.sessions.open(aSession(), 1))) ?? []),
    ];
    expect(records).toHaveLength(15);
    for (const record of records) {
      // The outcome of a request is a new object that contains frozen records.
      const parts =
        typeof record === "object" && record !== null && "kind" in record ? Object.values(record) : [record];
      for (const part of parts) expect(isDeeplyFrozen(part), JSON.stringify(part)).toBe(true);
    }
  });

  it("is not affected if a caller changes a stored value", async () => {
    const stores = memoryStores();
    const secrets = [{ hash: "h", gmtCreate: 1 }];
    const app = anApp({ secrets });
    await expectOk(stores.apps.insertOnce(app));
    secrets.push({ hash: "intruder", gmtCreate: 2 });
    expect((await expectOk(stores.apps.find(app.appId)))?.secrets).toEqual([{ hash: "h", gmtCreate: 1 }]);
  });

  it("returns a new list to each caller", async () => {
    const stores = memoryStores();
    const order = await expectOk(stores.orders.insertOnce(anOrder(), anEntry()));
    const first = await expectOk(stores.orders.timeline(order));
    await expectOk(stores.orders.record(order, anEntry()));
    expect(first).toHaveLength(1);
  });

  it("shares a state only between stores that are created over it", async () => {
    const state = memoryState();
    const order = await expectOk(memoryStores(state).orders.insertOnce(anOrder(), anEntry()));
    expect(await expectOk(memoryStores(state).orders.find(order))).toEqual(order);
    expect(await expectOk(memoryStores().orders.find(order))).toBeUndefined();
  });

  it("fails with storage.unavailable for an id that is in use, and does not throw", async () => {
    const stores = memoryStores();
    const order = await expectOk(stores.orders.insertOnce(anOrder(), anEntry()));
    const clash = await expectFailure(stores.orders.insertOnce(anOrder({ id: order.id }), anEntry()));
    expect(clash).toMatchObject({ name: "storage.unavailable" });
  });
});
