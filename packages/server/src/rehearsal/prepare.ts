import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { configurePayTool, createApp } from "@tillkit/core";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { createKeyring, nodeDigest, systemRandom } from "@tillkit/runtime";
import { openSandbox } from "@tillkit/sandbox";
import type { Result } from "neverthrow";
import pg from "pg";
import { sandboxWallets } from "../assembly/wallets.js";
import { createDatabase } from "./create-database.js";

/** A database that a host can serve from, and the configuration of the host. */
export interface Prepared {
  /** The environment of the host, with free ports. */
  readonly environment: Readonly<Record<string, string>>;
  /** The URL for the database's owner, who may change tables. */
  readonly ownerUrl: string;
  readonly appId: string;
  readonly appSecret: string;
  /** Removes the role that was created on the server. */
  clean(): Promise<void>;
}

/**
 * Prepares the first start of a host on a new database of the server at `serverUrl`.
 *
 * Creates a role for the host, applies the migrations, and creates keys and an app that takes
 * payments at the sandbox. Throws if a step fails.
 *
 * @param folder - receives the files.
 */
export async function prepare(serverUrl: string, folder: string): Promise<Prepared> {
  const ownerUrl = await createDatabase(serverUrl);
  const sql = pgClient(new pg.Pool({ connectionString: ownerUrl, max: 2 }));
  const role = `tillkit_host_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(16).toString("hex");
  await sql.script(`create role ${role} login password '${password}'`);
  unwrapOrExit("migrations", await migrate({ sql, schema: "tillkit", application: role }));

  const keyringFile = join(folder, "keyring.json");
  const { peppers, credentialKeys } = unwrapOrExit("keyring", await createKeyring(keyringFile));

  const sandboxStateFile = join(folder, "sandbox.jsonl");
  const sandbox = await openSandbox({ stateFile: sandboxStateFile });
  const { clock } = sandbox;
  const machine = {
    wallets: sandboxWallets(sandbox),
    clock,
    random: systemRandom,
    digest: nodeDigest({ peppers }),
  };
  const ports = { ...postgresStores({ sql, schema: "tillkit", credentialKeys }), ...machine };
  const { app, appSecret } = unwrapOrExit("app", await createApp(ports, { name: "Rehearsal" }));
  for (const payTool of Object.values(sandbox.payTools)) {
    unwrapOrExit("pay tool", await configurePayTool(ports, app.appId, payTool));
  }
  await sandbox.close();
  await sql.close();

  const hostUrl = new URL(ownerUrl);
  [hostUrl.username, hostUrl.password] = [role, password];
  const environment = {
    NODE_ENV: "test",
    HOST: "127.0.0.1",
    PORT: "0",
    ADMIN_PORT: "0",
    PUBLIC_URL: "http://127.0.0.1:1",
    DATABASE_URL: hostUrl.href,
    TILLKIT_KEYS_FILE: keyringFile,
    WALLETS: "sandbox",
    SANDBOX_STATE_FILE: sandboxStateFile,
    DRAIN_DELAY_MS: "0",
  };
  return { environment, ownerUrl, appId: app.appId, appSecret, clean: () => dropRole(ownerUrl, role) };
}

async function dropRole(ownerUrl: string, role: string): Promise<void> {
  const sql = pgClient(new pg.Pool({ connectionString: ownerUrl, max: 1 }));
  await sql.script(`drop owned by ${role}; drop role ${role}`);
  await sql.close();
}

function unwrapOrExit<T>(step: string, result: Result<T, { readonly name: string }>): T {
  return result.match(
    (value) => value,
    (failure) => {
      throw new Error(`${step}: ${failure.name}`, { cause: failure });
    },
  );
}
