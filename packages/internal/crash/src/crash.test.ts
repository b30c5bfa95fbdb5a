import { caseCount } from "@tillkit/contract-tests";
import { createDatabase } from "@tillkit/local-postgres";
import { afterEach, describe, expect, inject, it } from "vitest";
import { playHistory } from "./play-history.js";
import { singleProcess } from "./single-process.js";
import type { CrashEnvironment } from "./crash-environment.js";

const rounds = caseCount({ few: 1, many: 4 });

let system: CrashEnvironment | undefined;
afterEach(() => system?.clean());

async function crash(databaseUrl?: string): Promise<void> {
  system = singleProcess(databaseUrl);
  const { findings, hostKills, paid } = await playHistory({ system, rounds, seed: 1 });
  expect(findings).toEqual([]);
  expect(hostKills).toBeGreaterThanOrEqual(rounds);
  expect(paid).toBeGreaterThan(0);
}

describe("a host that is killed during creations, payments and logins, and restarted", () => {
  it(
    "loses nothing acknowledged and does nothing twice: in a folder",
    { tags: "slow", timeout: 300_000 },
    () => crash(),
  );

  it("loses nothing acknowledged and does nothing twice: on a server", async () => {
    await crash(await createDatabase(inject("databaseUrl")));
  }, 300_000);
});
