import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Stores } from "@tillkit/core";
import { postgresAppStore, postgresStores, readAccounts, type UnreadableRow } from "@tillkit/postgres";
import { type Keyring, openOrCreateKeyring, readKeyring } from "@tillkit/runtime";
import { unwrapOrExit } from "./unwrap-or-exit.js";
import { SCHEMA, type Storage } from "./open-storage.js";

/** The keys of a host and the stores that use them. */
export interface KeyedStores {
  readonly keyring: Keyring;
  readonly stores: Stores;
}

/**
 * Opens the stores with the keys in `dataDir/keys.json`.
 *
 * Creates the keys if the database is empty. Rejects if the data was created with other keys. With
 * the wrong keys, customers would not be recognized and the wallets could not be called.
 */
export async function openKeyring(dataDir: string, { sql, name }: Storage): Promise<KeyedStores> {
  const file = join(dataDir, "keys.json");
  const unreadable: UnreadableRow[] = [];
  const appStore = postgresAppStore(sql, SCHEMA, (row) => unreadable.push(row));
  const apps = unwrapOrExit("apps", await appStore.list());
  const hasData = apps.length + unreadable.length > 0;
  const remedy = "Restore the key file of this data, or choose another DATA_DIR or database.";
  if (!existsSync(file) && hasData) {
    throw new Error(`The key file ${file} is missing, and the data ${name} needs its keys. ${remedy}`);
  }
  const opened = await (hasData ? readKeyring(file) : openOrCreateKeyring(file));
  if (opened.isErr() && opened.error.name === "keyring.invalid" && hasData) {
    throw new Error(`${opened.error.message} The data ${name} needs its keys. ${remedy}`);
  }
  const keyring = unwrapOrExit("keys", opened);
  const { credentialKeys } = keyring;
  const accounts = unwrapOrExit("pay tools", await readAccounts({ sql, schema: SCHEMA, credentialKeys }));
  if (accounts.some(({ current, account }) => current && account === undefined))
    throw new Error(`The data ${name} needs other keys than those in ${file}. ${remedy}`);
  return { keyring, stores: postgresStores({ sql, schema: SCHEMA, credentialKeys }) };
}
