import { isError } from "@tillkit/core/errors";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { type CliFailure, failure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { aborted, stopSignal } from "../stop-signal.js";
import { removeData } from "./remove-data.js";
import { type DevHost, isPortInUse, startDevHost } from "./start-dev-host.js";

/**
 * How long the host may take to end after a signal, in milliseconds.
 *
 * Process managers kill the host a little later.
 */
const DEADLINE = 9_000;

/** The options of `tillkit dev`, as the user typed them. */
export interface DevOptions {
  readonly port?: number | undefined;
  readonly dataDir: string;
  readonly postgresUrl?: string | undefined;
  readonly fresh?: true | undefined;
  readonly history: boolean;
  readonly json?: true | undefined;
}

/** Runs a development host until it is stopped. Its data stays. */
export function runDev(
  io: Pick<Io, "stdout" | "stderr" | "stop" | "dev">,
  options: DevOptions,
): ResultAsync<CommandResult, CliFailure> {
  const { postgresUrl, fresh } = options;
  if (postgresUrl !== undefined && !isServerUrl(postgresUrl))
    return refused("--postgres-url must look like postgres://user:password@host:5432/database.");
  if (postgresUrl !== undefined && fresh === true)
    return refused("--fresh deletes the files of a folder only: leave out --postgres-url.");
  return new ResultAsync(untilStopped(io, options));
}

async function untilStopped(
  io: Pick<Io, "stdout" | "stderr" | "stop" | "dev">,
  { port, dataDir: folder, postgresUrl, fresh, history, json }: DevOptions,
): Promise<Result<CommandResult, CliFailure>> {
  // Optimizing the WebAssembly of PGlite takes as long as the rest of the start, and does not make
  // the statements of a development host faster. This flag turns the optimization off.
  setFlagsFromString("--liftoff-only");
  const { signal, dispose } = stopSignal(io);
  const dataDir = resolve(folder);
  // With --json, standard output has the document only.
  const messages = json === true ? io.stderr : io.stdout;
  const start = async (): Promise<DevHost> => {
    if (fresh === true) await removeData(dataDir);
    return startDevHost({
      port,
      dataDir,
      databaseUrl: postgresUrl,
      prepared: io.dev?.prepared,
      history,
      print: (text) => void messages.write(`${text}\n`),
    });
  };
  try {
    // Each step of closing has its own deadline. This deadline covers a start that is still
    // running.
    const late = aborted(signal).then(() => afterDeadline());
    const host = await Promise.race<Result<DevHost, CliFailure>>([
      ResultAsync.fromPromise(start(), startFailure(port)),
      late,
    ]);
    if (host.isErr()) return err(host.error);
    if (json === true) io.stdout.write(`${JSON.stringify(host.value.facts, undefined, 2)}\n`);
    io.dev?.onReady?.();
    await aborted(signal);
    const closed = await Promise.race<Result<void, CliFailure>>([host.value.close().then(() => ok()), late]);
    return closed.map(() => ({ data: { stopped: true }, text: "", toStderr: true }));
  } finally {
    dispose();
  }
}

/** Waits for {@link DEADLINE}, then fails. Does not keep the process alive. */
async function afterDeadline(): Promise<Result<never, CliFailure>> {
  await new Promise<void>((done) => {
    setTimeout(() => done(), DEADLINE).unref();
  });
  const seconds = String(DEADLINE / 1_000);
  return err(
    failure(
      "unavailable",
      "dev.not-stopped",
      `Tillkit did not shut down within ${seconds} s. It stopped with unfinished work.`,
    ),
  );
}

function startFailure(port: number | undefined) {
  return (problem: unknown): CliFailure => {
    const reason = isError(problem) ? problem.message : String(problem);
    return isPortInUse(problem)
      ? failure("unavailable", "dev.port-in-use", portText(port))
      : failure("unavailable", "dev.not-started", `Tillkit did not start: ${reason}`);
  };
}

function portText(port: number | undefined): string {
  return port === undefined
    ? "Port 8787 and the next ports are in use. Choose a free port: tillkit dev --port 0"
    : `Port ${String(port)} is in use. Stop the program that uses it, or choose another port: tillkit dev --port 0 selects a free one.`;
}

function isServerUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

function refused(message: string): ResultAsync<never, CliFailure> {
  return new ResultAsync(Promise.resolve(err(usage(message))));
}
