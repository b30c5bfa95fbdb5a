import { resolve } from "node:path";
import { startQuickstart } from "./start-quickstart.js";
import { withTimeout } from "./with-timeout.js";

/**
 * How long the process may take to end after a signal, in milliseconds.
 *
 * Process managers kill it a little later.
 */
const DEADLINE = 9_000;

const HELP = `Starts Tillkit with demo data, both simulated wallets and a simulated SMS carrier.

Usage
  npm start

Environment variables
  PORT          the port on 127.0.0.1; 0 selects a free port (default 8787)
  DATA_DIR      the folder of all files (default .tillkit)
  DATABASE_URL  a PostgreSQL database to use instead of the one in DATA_DIR
  HISTORY       off: without the orders of a demo shop`;

const [argument] = process.argv.slice(2);
if (argument === "--help" || argument === "-h") {
  console.log(HELP);
  process.exit(0);
}
if (argument !== undefined)
  stop(`Unknown argument ${JSON.stringify(argument)}. See the settings: npm start -- --help`);

const { PORT = "", DATA_DIR = "", DATABASE_URL = "", PREPARED, HISTORY = "" } = process.env;
const port = PORT === "" ? 8787 : Number(PORT);

if (!/^\d*$/.test(PORT) || port > 65_535) {
  stop("PORT must be a whole number from 0 to 65535. 0 selects a free port.");
}

if (
  DATABASE_URL !== "" &&
  !(URL.canParse(DATABASE_URL) && /^postgres(ql)?:$/.test(new URL(DATABASE_URL).protocol))
) {
  stop(
    "DATABASE_URL must look like postgres://user:password@host:5432/database. Without DATABASE_URL the host uses a database in DATA_DIR.",
  );
}

if (HISTORY !== "" && HISTORY !== "off") {
  stop("HISTORY must be off or empty. With off, the host creates no orders of its own for the dashboard.");
}

const dataDir = resolve(DATA_DIR === "" ? ".tillkit" : DATA_DIR);
const running = startQuickstart({
  port,
  dataDir,
  databaseUrl: DATABASE_URL,
  prepared: PREPARED,
  history: HISTORY !== "off",
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end());
}

/** Resolves when the host is ready. */
export const ready = running.catch((problem: unknown) => {
  const busy = problem instanceof Error && "code" in problem && problem.code === "EADDRINUSE";
  stop(
    busy
      ? `Port ${String(port)} is in use. Stop the program that uses it, or choose another port: PORT=8788 npm start`
      : `Tillkit did not start: ${problem instanceof Error ? problem.message : String(problem)}`,
  );
});

/**
 * Ends the process within {@link DEADLINE}.
 *
 * Each step of closing has its own deadline. This deadline covers a start that is still running.
 */
async function end(): Promise<void> {
  const ended = await withTimeout(
    DEADLINE,
    // A failed start is reported below, which also ends the process.
    running.then(
      (host) => host.close(),
      () => new Promise<never>(() => undefined),
    ),
  );
  if (ended === "late")
    stop(`Tillkit did not shut down within ${String(DEADLINE / 1_000)} s. It stopped with unfinished work.`);
  process.exit(0);
}

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
