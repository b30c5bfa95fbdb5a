import { describe, expect, it } from "vitest";
import { isId, newDigits, newId, newSecret, newShortId, newTraceId } from "./random.js";

const counting = () => {
  let next = 0;
  return { bytes: (count: number) => Uint8Array.from({ length: count }, () => (next = (next + 37) % 256)) };
};

describe("newId", () => {
  it("sorts by its creation time and has a format that both wallets accept", () => {
    const random = counting();
    const ids = [1, 1_000, 1_700_000_000_000, 1_700_000_000_001].map((now) =>
      newId({ clock: { now: () => now }, random }),
    );
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9A-Z]{26}$/);
    for (const id of ids) expect(isId(id)).toBe(true);
  });

  it.each([
    "",
    "order-1",
    "2026112122001000",
    "01J8ZQ4T7M5V9K2N3P4Q5R6S7TX",
    "01j8zq4t7m5v9k2n3p4q5r6s7t",
    "0IJ8ZQ4T7M5V9K2N3P4Q5R6S7T",
  ])("does not recognise %j", (text) => {
    expect(isId(text)).toBe(false);
  });
});

it("creates short ids that sort by their creation time, also after longer ids", () => {
  const random = counting();
  const times = [1_700_000_000_000, 1_700_000_000_001, Date.UTC(3084, 0, 1)];
  const ids = times.map((now) => newShortId({ clock: { now: () => now }, random }));
  expect([newId({ clock: { now: () => Date.UTC(2999, 0, 1) }, random }), ...ids].sort()).toEqual([
    expect.stringMatching(/^0[0-9A-Z]{25}$/),
    ...ids,
  ]);
  for (const id of ids) expect(id).toMatch(/^[0-9A-Z]{15}$/);
});

describe("newDigits", () => {
  it("replaces bytes that would favour low digits", () => {
    const draws = [255, 254, 253, 252, 251, 250, 9, 18, 27, 36, 45, 249];
    const random = { bytes: (count: number) => Uint8Array.from(draws.splice(0, count)) };
    expect(newDigits(random, 6)).toBe("987659");
  });
});

it("generates secrets and trace ids in fixed formats", () => {
  expect(newSecret(counting())).toMatch(/^[\w-]{43}$/);
  expect(newTraceId(counting())).toMatch(/^[0-9a-f]{32}$/);
});
