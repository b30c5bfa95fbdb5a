import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { prepare, type Prepared } from "@tillkit-examples/production/rehearsal/prepare";
import { type Gateway, openGateway } from "@tillkit-examples/production/testing/gateway";

/** A prepared database on the run's server, and a gateway its hosts send through. */
export interface World extends Prepared {
  readonly gateway: Gateway;
}

/** Makes a world of one's own. */
export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-production-"));
  const gateway = await openGateway();
  const prepared = await prepare(inject("databaseUrl"), folder);
  return {
    ...prepared,
    environment: {
      ...prepared.environment,
      SMS_GATEWAY_URL: gateway.url,
      SMS_GATEWAY_TOKEN: gateway.token,
      // The machine may be busy with other tests.
      PROBE_DEADLINE_MS: "15000",
      // A test that is about the background work asks for it.
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
