import { afterAll, beforeAll, expect, it } from "vitest";
import { DATABASE_FAULTS, runDatabaseFault } from "./database-faults.js";
import { openScenario, type Scenario } from "./scenario.js";

let scenario: Scenario;
beforeAll(async () => {
  scenario = await openScenario();
});
afterAll(() => scenario.close());

// `npm run test:system -- fault-injection` plays the other faults and those of the wallets.
const short = DATABASE_FAULTS.filter(({ name }) => /stopped|out of connections/.test(name));

it.each(short)(
  'a host answers during the fault "$name", recovers by itself and loses nothing',
  { tags: "slow" },
  async (fault) => {
    const row = await runDatabaseFault(scenario, { ...fault, lasts: 300, untilRefused: true, callers: 16 });
    expect(row).toMatchObject({ hung: 0, wrong: 0 });
    expect(row.refused).toBeGreaterThan(0);
  },
);
