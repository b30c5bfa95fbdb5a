// A process that grants what customers paid for: it receives the events of the hosts' orders. With
// GRANTS=hang it never answers, and with GRANTS=throw it fails. It serves until it is killed.
import { adminApp } from "@tillkit-examples/production/admin-app";
import { readConfig } from "@tillkit-examples/production/config";
import { listen } from "@tillkit-examples/production/http-server";
import { openLogger } from "@tillkit-examples/production/logger";
import { hostObserver } from "@tillkit-examples/production/observer";
import { openStorage } from "@tillkit-examples/production/storage";
import { openTelemetry } from "@tillkit-examples/production/telemetry";
import { openWallets } from "@tillkit-examples/production/wallets";
import { createTillkit } from "@tillkit/host";
import { postgresStores } from "@tillkit/postgres";
import { readKeyring } from "@tillkit/runtime";

const config = readConfig(process.env)._unsafeUnwrap();
const keyring = (await readKeyring(config.keyringFile))._unsafeUnwrap();
const telemetry = openTelemetry({});
const storage = openStorage(config.database);
const { wallets } = await openWallets(config);
const logger = openLogger("info", { write: (line) => void process.stdout.write(line) });
const tillkit = createTillkit({
  stores: postgresStores({
    sql: storage.sql,
    schema: config.database.schema,
    credentialKeys: keyring.credentialKeys,
  }),
  wallets,
  keyring,
  publicUrl: config.publicUrl,
  observer: hostObserver(logger, telemetry.meter),
  eventHandlers: [{ name: "grants", handle: grant }],
  background: { eventsEveryMs: 500 },
});
await listen(adminApp(tillkit, telemetry, { trustProxy: 0 }), config.admin);
tillkit.start();
// Registers the handler before the first order.
await tillkit.runNow("events:grants");
process.stdout.write("grants\n");

function grant(): Promise<void> {
  if (process.env["GRANTS"] === "hang") return new Promise(() => undefined);
  throw new Error("The shop has no such product.");
}
