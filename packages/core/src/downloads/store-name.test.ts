import { describe, expect, it } from "vitest";
import {
  MAX_UNKNOWN_STORES_LISTED,
  resolveStores,
  storeFinder,
  storesOf,
  unknownStores,
} from "./store-name.js";
import { orThrow } from "../errors/or-throw.js";

const own = (...names: readonly string[]) => names.map((name) => ({ name, store: name }));

describe("storeFinder", () => {
  it("finds the exact name first, then the first spelling in text order", () => {
    const find = storeFinder([...own("b", "B"), { name: "华为", store: "Huawei" }, ...own("Huawei")]);
    expect([find("b"), find("B"), find(" B "), find("华为"), find("HUAWEI"), find("c")]).toEqual([
      "b",
      "B",
      "B",
      "Huawei",
      "Huawei",
      undefined,
    ]);
  });
});

it("lists the stores with their other names, by name", () => {
  const names = [{ name: "x", store: "b" }, ...own("b", "a"), { name: "w", store: "b" }];
  expect(storesOf(names)).toEqual([
    { store: "a", aliases: [] },
    { store: "b", aliases: ["w", "x"] },
  ]);
});

describe("resolveStores", () => {
  it("uses the first spelling of a new store as its name", () => {
    const { storeOf, added } = orThrow(resolveStores(own("Xiaomi"), ["Oppo", "OPPO", "xiaomi"], false));
    expect(Object.fromEntries(storeOf)).toEqual({ Oppo: "Oppo", OPPO: "Oppo", xiaomi: "Xiaomi" });
    expect(added).toEqual([
      { name: "Oppo", store: "Oppo" },
      { name: "OPPO", store: "Oppo" },
      { name: "xiaomi", store: "Xiaomi" },
    ]);
  });

  it("lists each unknown store once if `strict` is set", () => {
    expect(resolveStores(own("Xiaomi"), ["Oppo", "OPPO", "xiaomi"], true)._unsafeUnwrapErr()).toEqual({
      name: "store.unknown",
      stores: [{ name: "Oppo", near: [] }],
    });
  });
});

describe("unknownStores", () => {
  const near = (name: string, ...known: readonly string[]) =>
    unknownStores(own(...known), [name]).stores[0]?.near;

  it("has at most three similar stores, the most similar first", () => {
    expect(near("Huawei", "Huawai", "Huawie", "Hawaii", "Xiaomi", "Huaweii")).toEqual([
      "Huawai",
      "Huaweii",
      "Huawie",
    ]);
  });

  it.each([
    ["Google", "Google Play"],
    ["华为应用市场", "华为"],
    ["vivo", "vivoo"],
    ["Tencent", "Tecnent"],
  ])("finds that %j is similar to %j", (name, known) => {
    expect(near(name, known)).toEqual([known]);
  });

  it.each([
    ["Oppo", "Xiaomi"],
    ["a", "abc"],
    ["华为", "小米"],
  ])("finds no similarity of %j and %j", (name, known) => {
    expect(near(name, known)).toEqual([]);
  });

  it("lists a limited number of stores, also for long names", () => {
    const many = Array.from({ length: 50 }, (_, nth) => `${"x".repeat(2_000)}${nth}`);
    expect(
      unknownStores(
        own(...many),
        many.map((name) => `${name}y`),
      ).stores,
    ).toHaveLength(MAX_UNKNOWN_STORES_LISTED);
  });
});
