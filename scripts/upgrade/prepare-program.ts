// Prepares a database with the packages of the folder in which it runs: it migrates, and creates an
// app with pay tools and a service type. Prints the credentials of the app as JSON.
import { configurePayTool, createApp, createServiceType } from "@tillkit/core";
import { createTillkit } from "@tillkit/host";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { createKeyring, systemClock } from "@tillkit/runtime";
import type { Result } from "neverthrow";
import pg from "pg";
import { readSetup, SERVICE_TYPE } from "./set-up.js";
import { walletsAt } from "./wallets.js";

const setup = readSetup();
const { databaseUrl, application, keyringFile, publicUrl, sandbox } = setup;
const schema = "tillkit";
const sql = pgClient(new pg.Pool({ connectionString: databaseUrl, max: 2 }));
unwrap(await migrate({ sql, schema, application }));
const keyring = unwrap(await createKeyring(keyringFile));
const { ports } = createTillkit({
  stores: postgresStores({ sql, schema, credentialKeys: keyring.credentialKeys }),
  wallets: walletsAt(setup, systemClock),
  keyring,
  publicUrl,
});
const { app, appSecret } = unwrap(await createApp(ports, { name: "Upgrade", accountBased: true }));
for (const payTool of Object.values(sandbox.payTools)) {
  const { problems } = unwrap(await configurePayTool(ports, app.appId, payTool));
  if (problems.length > 0) throw new Error(problems.join("; "));
}
unwrap(await createServiceType(ports, app.appId, SERVICE_TYPE));
await sql.close();
console.log(JSON.stringify({ appId: app.appId, appSecret }));

function unwrap<T>(result: Result<T, { readonly name: string }>): T {
  return result.match(
    (value) => value,
    (failure) => {
      throw new Error(failure.name, { cause: failure });
    },
  );
}
