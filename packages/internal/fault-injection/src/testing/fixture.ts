import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { prepare, type Prepared } from "../../../../server/src/rehearsal/prepare.js";
import { type TestSmsGateway, openTestSmsGateway } from "../../../../server/src/testing/gateway.js";

/** A prepared database on the test run's server, and an SMS gateway for its hosts. */
export interface TestFixture extends Prepared {
  readonly gateway: TestSmsGateway;
}

/** Creates a separate test environment. */
export async function openFixture(): Promise<TestFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-production-"));
  const gateway = await openTestSmsGateway();
  const prepared = await prepare(inject("databaseUrl"), folder);
  return {
    ...prepared,
    environment: {
      ...prepared.environment,
      SMS_GATEWAY_URL: gateway.url,
      SMS_GATEWAY_TOKEN: gateway.token,
      // Other tests may keep the machine busy.
      PROBE_DEADLINE_MS: "15000",
      // Tests of the background work trigger it explicitly.
      RECONCILE_EVERY_MS: "600000",
    },
    gateway,
    clean: async () => {
      await gateway.close();
      await prepared.clean();
      await rm(folder, { recursive: true });
    },
  };
}
