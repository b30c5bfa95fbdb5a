import { expect, it } from "vitest";
import { fulfilmentStoreContract } from "./contract/index.js";
import { memoryFulfilmentStore } from "./memory-fulfilment-store.js";

fulfilmentStoreContract("memory", async () => memoryFulfilmentStore());

it("does not let others take over an expired claim while its effect runs", async () => {
  const store = memoryFulfilmentStore();
  const purchase = { bizNo: "buy-1", customerIdentity: "user-1", amount: 600, data: "month" };
  await store.insertOnce(purchase, 0, undefined);
  await store.claim("buy-1", { id: "first", to: "GRANTING", now: 0, until: 10 });
  const granted = { claimId: "first", to: "GRANTED", now: 10 } as const;
  const done = await store.complete("buy-1", granted, async () => {
    const late = { id: "other", now: 10, until: 20 };
    expect(await store.claim("buy-1", { ...late, to: "GRANTING" })).toBeUndefined();
    expect(await store.claim("buy-1", { ...late, to: "REVOKING" })).toBeUndefined();
  });
  expect(done).toBe(true);
  expect(await store.find("buy-1")).toMatchObject({ status: "GRANTED" });
});
