import { type ListedEvent, listEvents } from "@tillkit/core/operators";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { type CommandResult, timeText } from "../answer.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure } from "../failure.js";
import type { Io } from "../io.js";
import { pauseBetweenReads } from "../numbers.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { readEvents } from "../server/events.js";
import { fromSource } from "../server/open-server.js";
import { UNREACHABLE } from "../server/send.js";
import { examples, keyedCommand } from "../settings.js";
import { aborted, stopSignal } from "../stop-signal.js";
import { newEvents, type ReadPage } from "./new-events.js";

/** Creates `tillkit events tail`, which prints new events until it is stopped. */
export function tailEventsCommand({ io, report }: Context) {
  return keyedCommand("tail")
    .description(
      "Print each new event of all orders, until Ctrl+C. Needs no handler, and changes nothing. If the database or the server fails, it tries again until it is stopped. With --json it prints one JSON object per line. One process at a time can open an embedded database: use --server for a running host.",
    )
    .option("--app <app-id>", "print only events of this app")
    .option("--every <seconds>", "pause between two reads, from 1 to 3600", pauseBetweenReads, 2)
    .option(...SERVER_OPTION)
    .addHelpText("after", examples("tillkit events tail", "tillkit events tail --app app_1 --json"))
    .action(({ app, every, json, ...options }) => {
      const untilStopped = (readPage: ReadPage) => new ResultAsync(tail(io, { every, json }, readPage));
      return report(
        { json },
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, (ports) =>
              untilStopped((page) =>
                listEvents(ports, { apps: app === undefined ? undefined : [app], ...page }).mapErr(
                  coreFailure,
                ),
              ),
            ),
          server: (server) => untilStopped((page) => readEvents(server, { app, ...page })),
        }),
      );
    });
}

/** Prints each new event once, until it is stopped or the output is closed. */
async function tail(
  io: Pick<Io, "stdout" | "stderr" | "stop" | "clock">,
  { every, json }: { readonly every: number; readonly json?: true | undefined },
  readPage: ReadPage,
): Promise<Result<CommandResult, CliFailure>> {
  const { signal, dispose } = stopSignal(io);
  const stopped = aborted(signal);
  const hasEnded = () => signal.aborted || io.stdout.destroyed;
  const events = newEvents(readPage, hasEnded);
  let isFailing = false;
  try {
    const started = await events.start();
    if (started.isErr()) return err(started.error);
    while (!hasEnded()) {
      const read = await events.poll((event) => {
        io.stdout.write(`${json === true ? JSON.stringify(event) : textLine(event)}\n`);
      });
      if (read.isErr() && !PASSING.includes(read.error.name)) return err(read.error);
      if (read.isErr() && !isFailing)
        io.stderr.write(`${read.error.message} Trying again every ${String(every)} s.\n`);
      isFailing = read.isErr();
      await Promise.race([io.clock.sleep(every * 1_000), stopped]);
    }
  } finally {
    dispose();
  }
  return ok({ data: {}, text: "", toStderr: true });
}

/** The failures after which the same command can succeed later. */
const PASSING: readonly string[] = [UNREACHABLE, "storage.unavailable"];

function textLine({ at, type, appId, bizNo, id, refundNo, cause }: ListedEvent): string {
  const marks = [refundNo ?? "", type === "order.alarm" ? cause : ""].filter((mark) => mark !== "");
  return [timeText(at), type, appId, bizNo, id, ...marks].join("  ");
}
