import { expect, it } from "vitest";
import { isReservedStore } from "./reserved-store.js";

it.each([
  "All Stores",
  "all stores",
  "ALL STORES",
  " All  Stores ",
  "All\u00a0Stores",
  "All\u3000Stores",
  "Ａｌｌ Ｓｔｏｒｅｓ",
  "All\u200b Stores",
  "A\u00adll Stores\ufeff",
])("reserves %j", (store) => {
  expect(isReservedStore(store)).toBe(true);
});

it.each(["store_01", "AllStores", "All Stores 2", "Stores", "All", "all stories", ""])(
  "does not reserve %j",
  (store) => {
    expect(isReservedStore(store)).toBe(false);
  },
);
