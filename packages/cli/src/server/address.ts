import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { err, ok, type Result } from "neverthrow";
import { type CliFailure, usage } from "../failure.js";
import type { Io } from "../io.js";
import type { DatabaseOptions } from "../settings.js";

/** The option that names a running host. */
export const SERVER_OPTION = [
  "--server <url>",
  "work through the operators' page of a running host, such as https://pay.example/dashboard, with the session of `tillkit login`, which a development host does not need (or TILLKIT_SERVER)",
] as const;

/** Creates a hidden `--server` option for all other commands, which fails with an explanation. */
export function noServerOption() {
  return new Option("--server <url>").hideHelp().argParser(() => {
    throw new InvalidArgumentError(
      "This command works with the database and the key file only: leave out --server.",
    );
  });
}

/** The option of {@link SERVER_OPTION}, as the user typed it. */
export interface ServerOptions {
  readonly server?: string | undefined;
}

/**
 * Returns the address of the server that a command works with, or `undefined` for the database.
 *
 * Options override the environment. Fails if the options set both a server and a database, or if
 * no option is set and the environment sets both: the command could work with the wrong one.
 */
export function chosenServer(
  { server, databaseUrl, dataDir }: ServerOptions & DatabaseOptions,
  { env }: Pick<Io, "env">,
): Result<string | undefined, CliFailure> {
  const isDatabaseNamed = databaseUrl !== undefined || dataDir !== undefined;
  if (server !== undefined && isDatabaseNamed)
    return err(usage("Set either --server or a database, not both."));
  if (isDatabaseNamed) return ok(undefined);
  const { TILLKIT_SERVER: inEnvironment = "", DATABASE_URL: url = "", DATA_DIR: folder = "" } = env;
  if (server === undefined && inEnvironment !== "" && (url !== "" || folder !== ""))
    return err(
      usage(
        "A server and a database are set. Unset TILLKIT_SERVER, or unset DATABASE_URL and DATA_DIR, or name one of them by an option.",
      ),
    );
  const address = server ?? (inEnvironment === "" ? undefined : inEnvironment);
  return address === undefined ? ok(undefined) : serverAddress(address);
}

/** Returns the address of the server of a command that works with a server only. */
export function requiredServer(
  { server }: ServerOptions,
  { env }: Pick<Io, "env">,
): Result<string, CliFailure> {
  const { TILLKIT_SERVER: inEnvironment = "" } = env;
  const address = server ?? inEnvironment;
  return address === "" && server === undefined
    ? err(usage("No server is set. Set --server or TILLKIT_SERVER to the address of the operators' page."))
    : serverAddress(address);
}

/**
 * Returns the address without a slash at its end.
 *
 * The session may travel over plain HTTP only on this machine. The messages do not repeat the
 * address, which may contain a password.
 */
function serverAddress(text: string): Result<string, CliFailure> {
  if (!URL.canParse(text))
    return err(
      usage(
        "The server must be an address such as https://pay.example/dashboard: correct --server or TILLKIT_SERVER.",
      ),
    );
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:")
    return err(usage("The server's address must begin with https://: correct --server or TILLKIT_SERVER."));
  if (protocol === "http:" && !isThisMachine(hostname))
    return err(
      usage(
        "The server's address must begin with https://, because others could read the password and the session. http:// is allowed for this machine only, such as http://localhost:8081.",
      ),
    );
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    return err(
      usage(
        "The server's address must have no user name, password, query or fragment: correct --server or TILLKIT_SERVER.",
      ),
    );
  return ok(origin + pathname.replace(/\/+$/, ""));
}

/** Returns whether a host name of an address is that of this machine. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
