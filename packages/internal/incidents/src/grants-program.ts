// A process that grants what customers paid for: it receives the events of the hosts' orders. With
// GRANTS=hang it never answers, and with GRANTS=throw it fails. It serves until it is killed.
import { adminApp } from "../../../server/src/http/admin-app.js";
import { readConfig } from "../../../server/src/config.js";
import { listen } from "../../../server/src/http/http-server.js";
import { openLogger } from "../../../server/src/log/logger.js";
import { hostObserver } from "../../../server/src/log/observer.js";
import { openStorage } from "../../../server/src/assembly/storage.js";
import { openTelemetry } from "../../../server/src/telemetry/telemetry.js";
import { openWallets } from "../../../server/src/assembly/wallets.js";
import { orThrow } from "@tillkit/core";
import { createTillkit } from "@tillkit/host";
import { postgresStores } from "@tillkit/postgres";
import { readKeyring } from "@tillkit/runtime";

const config = orThrow(readConfig(process.env));
const keyring = await orThrow(readKeyring(config.keyringFile));
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
