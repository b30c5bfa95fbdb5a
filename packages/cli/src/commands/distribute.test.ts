import { describe, expect, it } from "vitest";
import { sharedHost } from "../testing/cli.js";

describe("distribute", () => {
  const shared = sharedHost();

  it("fails if the database lacks the extension citus", async () => {
    const { ask } = shared();
    for (const argv of [["distribute"], ["distribute", "--dry-run"]]) {
      const refused = await ask(argv, { code: 1 });
      expect(refused).toMatchObject({ error: { name: "distribution.no-extension" } });
      expect(JSON.stringify(refused)).toContain("create extension citus");
    }
  });

  it.each([
    ["--shards", "0"],
    ["--shards", "64001"],
    ["--shards", "many"],
    ["--application", ""],
  ])("rejects %s %s", async (option, value) => {
    const { ask } = shared();
    expect(await ask(["distribute", option, value], { code: 2 })).toMatchObject({
      error: { name: "usage.invalid" },
    });
  });
});

describe("migrate: locks", () => {
  const shared = sharedHost();

  it("rejects a lock timeout of 0 ms", async () => {
    const { ask } = shared();
    await ask(["migrate", "--lock-timeout-ms", "0"], { code: 2 });
    await ask(["migrate", "--lock-timeout-ms", "50", "--max-lock-wait-ms", "1000"]);
  });
});
