import { defaultPolicy, type Ports } from "@tillkit/core";
import { postgresStores } from "@tillkit/postgres";
import { type Keyring, nodeDigest, readKeyring, noopObserver, systemRandom } from "@tillkit/runtime";
import type { ResultAsync } from "neverthrow";
import { type Database, withDatabase } from "./database.js";
import { type CliFailure, failure } from "./failure.js";
import type { Io } from "./io.js";
import { type DatabaseOptions, keysFileOf } from "./settings.js";

/** The options of `keyedCommand`, as the user typed them. */
export interface KeyedOptions extends DatabaseOptions {
  readonly keysFile?: string | undefined;
}

/** The ports that a command can use without a network connection to a wallet or SMS provider. */
export type CommandPorts = Omit<Ports, "wallets" | "smsSender" | "notificationsUrl">;

/** Reads the key file that the options name. */
export function keysOf(io: Io, options: KeyedOptions): ResultAsync<Keyring, CliFailure> {
  return keysFileOf(options, io).asyncAndThen((file) =>
    readKeyring(file).mapErr(({ name, message }) => failure("unavailable", name, message)),
  );
}

/** Runs `work` with the ports over the database that the options name. */
export function withPorts<T>(
  io: Io,
  options: KeyedOptions,
  work: (ports: CommandPorts, database: Database, keyring: Keyring) => ResultAsync<T, CliFailure>,
): ResultAsync<T, CliFailure> {
  return keysOf(io, options).andThen((keyring) =>
    withDatabase(io, options, (database) => work(portsOf(io, database, keyring), database, keyring)),
  );
}

/** Runs `work` like {@link withPorts}, for commands that call the wallets. */
export function withWallets<T>(
  io: Io,
  options: KeyedOptions,
  work: (
    ports: CommandPorts & Pick<Ports, "wallets">,
    database: Database,
    keyring: Keyring,
  ) => ResultAsync<T, CliFailure>,
): ResultAsync<T, CliFailure> {
  return withPorts(io, options, (ports, database, keyring) =>
    io.openWallets(ports).asyncAndThen((wallets) => work({ ...ports, wallets }, database, keyring)),
  );
}

function portsOf({ clock }: Io, database: Database, keyring: Keyring): CommandPorts {
  return {
    ...postgresStores({ ...database, credentialKeys: keyring.credentialKeys }),
    clock,
    random: systemRandom,
    digest: nodeDigest({ peppers: keyring.peppers }),
    observer: noopObserver,
    policy: defaultPolicy,
  };
}
