import {
  defaultPolicy,
  type Observer,
  type OrderKey,
  parseInput,
  type Policy,
  type Ports,
  type Stores,
  type WalletAccount,
} from "@tillkit/core";
import { inSnapshot, postgresStores, type UnreadableRow } from "@tillkit/postgres";
import {
  type Keyring,
  nodeDigest,
  noopObserver,
  readKeyring,
  readPolicy,
  systemRandom,
} from "@tillkit/runtime";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { z } from "zod";
import { type Database, withDatabase } from "./database.js";
import { type CliFailure, coreFailure, databaseFailure, failure, unreadableText } from "./failure.js";
import type { Io } from "./io.js";
import {
  type DatabaseOptions,
  devGatewaysOf,
  type GatewayCommandOptions,
  keysFileOf,
  policyFileOf,
  withoutServer,
} from "./settings.js";
import { gatewayRemedy } from "./wallets.js";

/** The option that selects the policy file, as the user typed it. */
export interface PolicyOptions {
  readonly policyFile?: string | undefined;
}

/** The options of `keyedCommand`, as the user typed them. */
export interface KeyedOptions extends DatabaseOptions, PolicyOptions {
  readonly keysFile?: string | undefined;
}

/** The ports that a command can use without a network connection to a wallet or SMS provider. */
export type CommandPorts = Omit<Ports, "wallets" | "smsSender" | "notificationsUrl">;

/** The ports of commands that call the wallets. */
export type WalletPorts = CommandPorts & Pick<Ports, "wallets">;

/** Reads the key file that the options name. */
export function keysOf(io: Io, options: KeyedOptions): ResultAsync<Keyring, CliFailure> {
  return keysFileOf(options, io).asyncAndThen((file) =>
    readKeyring(file).mapErr(({ name, message }) => failure("unavailable", name, message)),
  );
}

/** Reads the policy file that the options name. Without one, returns the default policy. */
export function policyOf(io: Io, options: PolicyOptions): ResultAsync<Policy, CliFailure> {
  const file = policyFileOf(options, io);
  if (file === undefined) return okAsync(defaultPolicy);
  return readPolicy(file).mapErr(({ name, message }) => failure("unavailable", name, message));
}

/** Parses `raw` with a schema of core whose limits come from the policy of the hosts. */
export function parseWithPolicy<S extends z.ZodType>(
  io: Io,
  options: PolicyOptions,
  schema: (policy: Policy) => S,
  raw: Readonly<Record<string, unknown>>,
): ResultAsync<z.output<S>, CliFailure> {
  return policyOf(io, options).andThen((policy) => parseInput(schema(policy), raw).mapErr(coreFailure));
}

/** Runs `work` with the ports over the database that the options name. */
export function withPorts<T>(
  io: Io,
  options: KeyedOptions,
  work: (ports: CommandPorts, database: Database, keyring: Keyring) => ResultAsync<T, CliFailure>,
): ResultAsync<T, CliFailure> {
  return withoutServer(options, io)
    .asyncAndThen(() => policyOf(io, options))
    .andThen((policy) =>
      keysOf(io, options).andThen((keyring) =>
        withDatabase(io, options, (database) =>
          work(portsOf(io, database, keyring, policy), database, keyring),
        ),
      ),
    );
}

/**
 * Runs `work` like {@link withPorts}, for commands that call the wallets.
 *
 * @param observer - receives the events of the wallets' adapters.
 */
export function withWallets<T>(
  io: Io,
  options: KeyedOptions & GatewayCommandOptions,
  work: (ports: WalletPorts, database: Database, keyring: Keyring) => ResultAsync<T, CliFailure>,
  observer: Observer = noopObserver,
): ResultAsync<T, CliFailure> {
  return withPorts(io, options, (ports, database, keyring) =>
    io
      .openWallets({ ...ports, observer }, devGatewaysOf(options, io))
      .asyncAndThen((wallets) => work({ ...ports, wallets }, database, keyring)),
  );
}

/**
 * Runs `work` like {@link withWallets}, for a command that calls the wallet of one order.
 *
 * Fails before `work` if the order belongs to a DEV pay tool and no gateway of its wallet is set.
 * Otherwise a refund would be stored and could not be sent, so that its outcome stayed unknown.
 *
 * @param keyOf - returns the order, or `undefined` if `work` finds out that there is none.
 */
export function withOrderWallet<T>(
  io: Io,
  options: KeyedOptions & GatewayCommandOptions,
  keyOf: OrderKey | ((ports: WalletPorts) => ResultAsync<OrderKey | undefined, CliFailure>),
  work: (ports: WalletPorts) => ResultAsync<T, CliFailure>,
): ResultAsync<T, CliFailure> {
  return withWallets(io, options, (ports) =>
    (typeof keyOf === "function" ? keyOf(ports) : okAsync(keyOf))
      .andThen((key) => (key === undefined ? okAsync(undefined) : requireGateway(ports, key)))
      .andThen(() => work(ports)),
  );
}

/** Fails if the order belongs to a DEV pay tool and no gateway of its wallet is set. */
function requireGateway(ports: WalletPorts, key: OrderKey): ResultAsync<void, CliFailure> {
  return ports.orders
    .find(key)
    .andThen((order) => (order === undefined ? okAsync(undefined) : ports.payTools.find(order.payToolId)))
    .mapErr(coreFailure)
    .andThen((account) => new ResultAsync(gatewayOf(ports, account)));
}

async function gatewayOf(
  { wallets }: WalletPorts,
  account: WalletAccount | undefined,
): Promise<Result<void, CliFailure>> {
  if (account === undefined) return ok(undefined);
  const problems = await wallets[account.payChannel].checkAccount(account);
  if (!problems.some(({ code }) => code === "no-gateway")) return ok(undefined);
  return err(
    failure(
      "usage",
      "wallet.no-gateway",
      `Nothing was sent or stored. The order belongs to the DEV pay tool ${account.id}, and this command has no gateway for ${account.payChannel}. ${gatewayRemedy(account.payChannel)}, or use --server with the operators' page of the host.`,
    ),
  );
}

/**
 * Runs `work` with stores that read one state of the database, even if other processes write.
 *
 * `work` must only read. It passes each page of a list to `whole`, which fails if the list left out
 * a row that cannot be read.
 */
export function withSnapshot<T>(
  database: Database,
  { credentialKeys }: Keyring,
  work: (stores: Stores, whole: <P>(page: P) => Result<P, StorageFailure>) => ResultAsync<T, CliFailure>,
): ResultAsync<T, CliFailure> {
  let unreadable: UnreadableRow | undefined;
  const onUnreadable = (row: UnreadableRow) => {
    unreadable ??= row;
  };
  const whole = <P>(page: P): Result<P, StorageFailure> =>
    unreadable === undefined
      ? ok(page)
      : err({ name: "storage.unavailable", cause: new Error(unreadableText(unreadable)) });
  const read = inSnapshot(database.sql, async (sql) =>
    work(postgresStores({ ...database, sql, credentialKeys, onUnreadable }), whole),
  );
  return ResultAsync.fromPromise(read, databaseFailure).andThen((result) => result);
}

/** Creates the ports over an open database. */
export function portsOf({ clock }: Io, database: Database, keyring: Keyring, policy: Policy): CommandPorts {
  return {
    ...postgresStores({ ...database, credentialKeys: keyring.credentialKeys }),
    clock,
    random: systemRandom,
    digest: nodeDigest({ peppers: keyring.peppers }),
    observer: noopObserver,
    policy,
  };
}
