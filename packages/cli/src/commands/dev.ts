import { ResultAsync } from "neverthrow";
import type { Context } from "../context.js";
import { wholeNumberTo } from "../numbers.js";
import { examples, plainCommand } from "../settings.js";

/** Creates `tillkit dev`, which runs a whole development host until it is stopped. */
export function devCommand({ io, report }: Context) {
  return plainCommand("dev")
    .description(
      "Run a complete service on this machine, with demo data: the APIs, the operators' page, both simulated wallets and a simulated SMS carrier. No real money moves. It needs no database, no wallet account and no settings, reads no environment variable, and prints commands to paste. The data stays in a folder: the next start continues with it. Ctrl+C ends it. With --json it prints one document when it is ready: the addresses, ids and secrets of host.json.",
    )
    .option(
      "--port <port>",
      "port on 127.0.0.1; 0 selects a free port (default: 8787, or the next free port)",
      wholeNumberTo(65_535),
    )
    .option("--data-dir <folder>", "folder of the database, the keys and host.json", ".tillkit")
    .option(
      "--postgres-url <url>",
      "PostgreSQL database to use instead of the one in the folder, postgres://user:password@host/database; the tables are in the schema tillkit",
    )
    .option("--fresh", "delete the data of earlier starts first")
    .option("--no-history", "leave out the orders of a demo shop")
    .addHelpText(
      "after",
      examples("tillkit dev", "tillkit dev --port 9000 --data-dir shop", "tillkit dev --fresh"),
    )
    .action((options) =>
      report(
        options,
        // Loaded only here, because other commands need neither a sandbox nor the operators' page.
        ResultAsync.fromSafePromise(import("../dev/run-dev.js")).andThen(({ runDev }) => runDev(io, options)),
      ),
    );
}
