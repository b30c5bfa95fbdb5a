import { describe, expect, it } from "vitest";
import { onePersonUntil } from "./one-person-until.js";

const NOW = 1_000_000;
const PERIOD = 1_000;

function account(name: string, ...makers: readonly (readonly [by: string, at: number])[]) {
  const grants = makers.map(([by, at]) => ({ by, at, kind: "reset", origin: "dashboard" }) as const);
  return { name, grants };
}

describe("onePersonUntil", () => {
  const until = (accounts: ReturnType<typeof account>[], left = "x", right = "y") =>
    onePersonUntil(accounts, [left, right], PERIOD, NOW);

  it("returns undefined if no operator can use both accounts", () => {
    expect(until([])).toBeUndefined();
    expect(until([account("y", ["x", NOW - PERIOD])])).toBeUndefined();
    expect(until([account("x", ["a", NOW]), account("y", ["b", NOW])])).toBeUndefined();
    expect(until([account("z", ["x", NOW], ["y", NOW])])).toBeUndefined();
  });

  it.each([
    ["one created the other", [account("y", ["x", NOW - 1])], 999],
    ["the other created the one", [account("x", ["Y", NOW - 2])], 998],
    ["a chain", [account("y", ["z", NOW - 1]), account("z", ["x", NOW - 5])], 995],
    ["a third person", [account("y", ["z", NOW - 1]), account("x", ["z", NOW - 7])], 993],
    ["a loop", [account("x", ["y", NOW - 1]), account("y", ["x", NOW - 2])], 999],
    [
      "the way that lasts longest",
      [account("y", ["a", NOW - 900], ["b", NOW - 10]), account("a", ["x", NOW]), account("b", ["x", NOW])],
      990,
    ],
    [
      "a longer way through an account that was seen before",
      [account("y", ["x", NOW - 900], ["z", NOW - 3]), account("z", ["x", NOW - 4])],
      996,
    ],
    [
      "a longer way to an account whose grants were followed before",
      [
        account("y", ["z", NOW - 900], ["w", NOW - 3]),
        account("w", ["z", NOW - 4]),
        account("z", ["v", NOW - 1]),
        account("v", ["x", NOW - 2]),
      ],
      996,
    ],
  ])("returns until when both count as one person: %s", (_, accounts, left) => {
    expect(until(accounts)).toBe(NOW + left);
  });

  it.each(["cli", "host"] as const)(
    "does not count a grant of the %s, whose user has access to the database anyway",
    (origin) => {
      const given = ({ name, grants }: ReturnType<typeof account>) => ({
        name,
        grants: grants.map((grant) => ({ ...grant, origin })),
      });
      const accounts = [account("y", ["x", NOW - 1])];
      expect(until(accounts)).toBeDefined();
      expect(onePersonUntil(accounts.map(given), ["x", "y"], PERIOD, NOW)).toBeUndefined();
    },
  );

  it("terminates for a loop of many accounts", () => {
    const names = Array.from({ length: 50 }, (_, nth) => `a${nth}`);
    const accounts = names.map((name) => account(name, ...names.map((by) => [by, NOW] as const)));
    expect(until(accounts, "a0", "a49")).toBe(NOW + PERIOD);
  });
});
