import { randomUUID } from "node:crypto";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { z } from "zod";
import { type CliFailure, failure, usage } from "../failure.js";
import type { Io } from "../io.js";
import type { DatabaseOptions } from "../settings.js";
import { chosenServer, isThisMachine, type ServerOptions } from "./address.js";
import { readAnswer, readFileOfServer, sendToServer, type ServerRequest, UNREACHABLE } from "./send.js";
import { serverFailure } from "./server-failure.js";
import { readSession, type StoredSession } from "./session-file.js";
import { sessionOfHost } from "./sign-in.js";

/** The operator API of a running host, with the session of an operator. */
export interface Server {
  /** The name of the operator who signed in. */
  readonly operator: string;
  /** Reads an answer, and checks it against `schema`. */
  read<S extends z.ZodType>(
    path: readonly string[],
    query: NonNullable<ServerRequest["query"]>,
    schema: S,
  ): ResultAsync<z.output<S>, CliFailure>;
  /** Reads a whole CSV file. */
  readFile(
    path: readonly string[],
    query: NonNullable<ServerRequest["query"]>,
  ): ResultAsync<string, CliFailure>;
  /**
   * Makes a change once. If the answer is lost, sends the same change again.
   *
   * Sends the change for about a minute. Fails with the exit reason `unknown` if no attempt gets an
   * answer.
   */
  change<S extends z.ZodType>(
    path: readonly string[],
    body: NonNullable<ServerRequest["body"]>,
    schema: S,
  ): ResultAsync<z.output<S>, CliFailure>;
}

/** Where the data of a command comes from, or where its change goes to. */
export interface Sources<T> {
  readonly database: () => ResultAsync<T, CliFailure>;
  readonly server: (server: Server) => ResultAsync<T, CliFailure>;
}

/**
 * Runs a command on the database or through a server, according to the options and the environment.
 */
export function fromSource<T>(
  io: Io,
  options: ServerOptions & DatabaseOptions,
  { database, server }: Sources<T>,
): ResultAsync<T, CliFailure> {
  return chosenServer(options, io).asyncAndThen((address) => {
    if (address === undefined) return database();
    return sessionAt(io, address).andThen((session) => server(openServer(io, session)));
  });
}

/**
 * Returns the stored session at a server.
 *
 * Without one, asks a host of this machine, which may let every request in. Sends nothing to
 * another server.
 */
function sessionAt(io: Io, address: string): ResultAsync<StoredSession, CliFailure> {
  return readSession(io, address).andThen((session) => {
    if (session !== undefined) return okAsync(session);
    return isThisMachine(new URL(address).hostname)
      ? sessionOfHost(address)
      : errAsync(serverFailure(address, { name: "session.missing", message: "" }));
  });
}

/**
 * Like {@link fromSource}, for a command that changes something.
 *
 * The operator of a change at a server is the one who signed in. A command that names another
 * operator fails.
 */
export function changeAtSource<T>(
  io: Io,
  options: ServerOptions & DatabaseOptions & { readonly operator?: string | undefined },
  { database, server }: Sources<T>,
): ResultAsync<T, CliFailure> {
  const { TILLKIT_OPERATOR: inEnvironment = "" } = io.env;
  const named = options.operator ?? (inEnvironment === "" ? undefined : inEnvironment);
  return fromSource(io, options, {
    database,
    server: (opened) =>
      named === undefined || named.toLowerCase() === opened.operator.toLowerCase()
        ? server(opened)
        : errAsync(
            usage(
              `You are signed in as ${opened.operator}, and --operator or TILLKIT_OPERATOR names ${named}. Leave the name out, or sign in as ${named} with \`tillkit login\`.`,
            ),
          ),
  });
}

/** Returns the reason of a change, which a server always needs. */
export function requiredReason(reason: string | undefined): Result<string, CliFailure> {
  return reason === undefined
    ? err(usage("Set --reason: the server stores why you change this."))
    : ok(reason);
}

/** Creates the failure of an option that needs the database. */
export function databaseOnly(option: string): CliFailure {
  return usage(`${option} works with the database only: leave out --server and TILLKIT_SERVER.`);
}

/** The pauses before a change is sent again, in milliseconds. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** A change is not sent again after this time, in milliseconds. One answer may take that long. */
const PATIENCE = 60_000;
/** After these failures, the change may have been made, or be in progress. */
const LOST: readonly string[] = [UNREACHABLE, "change.running", "storage.unavailable"];

function openServer({ clock }: Pick<Io, "clock">, session: StoredSession): Server {
  const { server, operator, cookie, csrfToken } = session;
  const send = (request: ServerRequest) =>
    sendToServer(server, { ...request, headers: { cookie, ...request.headers } });
  const read = async <S extends z.ZodType>(request: ServerRequest, schema: S) =>
    (await send(request)).andThen(({ json }) => readAnswer(server, schema, json));
  const change = async <S extends z.ZodType>(
    path: readonly string[],
    body: NonNullable<ServerRequest["body"]>,
    schema: S,
  ): Promise<Result<z.output<S>, CliFailure>> => {
    const headers = { "x-csrf-token": csrfToken, "x-change-id": randomUUID() };
    const request = { method: "POST", path, headers, body } as const;
    const until = clock.now() + PATIENCE;
    let sent = await send(request);
    for (const pause of PAUSES) {
      if (sent.isOk() || !LOST.includes(sent.error.name) || clock.now() >= until) break;
      await clock.sleep(pause);
      sent = await send(request);
    }
    if (sent.isErr()) return err(LOST.includes(sent.error.name) ? undecided(sent.error) : sent.error);
    // The change was made, also if this version does not understand the answer.
    return readAnswer(server, schema, sent.value.json).mapErr(undecided);
  };
  return {
    operator,
    read: (path, query, schema) => new ResultAsync(read({ method: "GET", path, query }, schema)),
    readFile: (path, query) =>
      new ResultAsync(readFileOfServer(server, { path, query, headers: { cookie } })),
    change: (path, body, schema) => new ResultAsync(change(path, body, schema)),
  };
}

function undecided({ name, message }: CliFailure): CliFailure {
  return failure(
    "unknown",
    name,
    `It is not known whether the change was made. ${message} Then look at the record, and repeat the command only if the change is missing, a refund with the same --refund-no.`,
  );
}
