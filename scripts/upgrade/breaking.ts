import assert from "node:assert/strict";
import { migrate, type SqlClient } from "@tillkit/postgres";
import { unwrapOrExit } from "../../packages/cli/src/dev/unwrap-or-exit.js";
import { type Shared, startHost, startHostProgram } from "./host-process.js";
import type { LoadBalancer } from "./load-balancer.js";
import { BREAKING_MIGRATIONS } from "./next-migrations.js";
import type { Release } from "./releases.js";

/**
 * Applies a breaking migration while a host of a release without it serves.
 *
 * The running host must become not ready, and a new process of that release must not start.
 */
export async function applyBreakingMigration(
  release: Release,
  shared: Shared,
  balancer: Pick<LoadBalancer, "add" | "ready">,
  { sql, application }: { readonly sql: SqlClient; readonly application: string },
): Promise<void> {
  const host = await startHost("previous-3", release, shared);
  balancer.add(host);
  await balancer.ready(["previous-3"]);
  unwrapOrExit(
    "the breaking migration",
    await migrate({ sql, schema: "tillkit", application, migrations: BREAKING_MIGRATIONS }),
  );
  await balancer.ready([]);
  const health = await fetch(`${host.admin}/health/ready`);
  assert.match(await health.text(), /schema\.too-new/u);
  const late = startHostProgram(release, shared);
  assert.equal(await late.ended, 1, late.output());
  assert.match(late.output(), /9004-contract.*upgrade the package/u);
  await host.stop();
}
