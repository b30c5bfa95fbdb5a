import { fail } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { type CommandResult, timeText } from "../answer.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure } from "../failure.js";
import type { Io } from "../io.js";
import { pauseBetweenReads } from "../numbers.js";
import { type CommandPorts, withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { fromSource } from "../server/open-server.js";
import { readOrderPage } from "../server/orders.js";
import { examples, keyedCommand } from "../settings.js";
import { aborted, stopSignal } from "../stop-signal.js";

/** An entry of a timeline as the command prints it. */
interface WatchedEntry {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly alarm?: boolean | undefined;
  readonly refundNo?: string | undefined;
}

interface OrderName {
  readonly app: string;
  readonly bizNo: string;
}

/** Creates `tillkit orders watch`, which prints what happens to an order until it is stopped. */
export function watchCommand({ io, report }: Context) {
  return keyedCommand("watch")
    .description(
      "Print the entries of an order's timeline, and each new entry, until Ctrl+C. Calls no wallet. With --json it prints one JSON object per line. One process at a time can open an embedded database: use --server for a running host.",
    )
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app")
    .option("--every <seconds>", "pause between two reads, from 1 to 3600", pauseBetweenReads, 2)
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples(
        "tillkit orders watch --app app_1 order-1001",
        "tillkit orders watch --app app_1 order-1001 --json",
      ),
    )
    .action((bizNo, { app, every, json, ...options }) => {
      const untilStopped = (read: () => ResultAsync<readonly WatchedEntry[], CliFailure>) =>
        new ResultAsync(watch(io, { every, json }, read));
      return report(
        { json },
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, (ports) => untilStopped(() => readTimeline(ports, { app, bizNo }))),
          server: (server) =>
            untilStopped(() => readOrderPage(server, { app, bizNo }).map(({ timeline }) => timeline)),
        }),
      );
    });
}

function readTimeline(
  { orders }: Pick<CommandPorts, "orders">,
  { app: appId, bizNo }: OrderName,
): ResultAsync<readonly WatchedEntry[], CliFailure> {
  return orders
    .timeline({ appId, bizNo })
    .andThen((entries) => (entries.length === 0 ? fail("order.not-found") : ok(entries)))
    .mapErr(coreFailure);
}

/** Prints each entry that `read` returns once, until it is stopped or the output is closed. */
async function watch(
  io: Pick<Io, "stdout" | "stop" | "clock">,
  { every, json }: { readonly every: number; readonly json?: true | undefined },
  read: () => ResultAsync<readonly WatchedEntry[], CliFailure>,
): Promise<Result<CommandResult, CliFailure>> {
  const { signal, dispose } = stopSignal(io);
  const stopped = aborted(signal);
  let last = 0;
  try {
    while (!signal.aborted && !io.stdout.destroyed) {
      const entries = await read();
      if (entries.isErr()) return err(entries.error);
      for (const entry of entries.value.filter(({ seq }) => seq > last)) {
        io.stdout.write(`${json === true ? jsonLine(entry) : textLine(entry)}\n`);
        last = entry.seq;
      }
      await Promise.race([io.clock.sleep(every * 1_000), stopped]);
    }
  } finally {
    dispose();
  }
  return ok({ data: { last }, text: "", toStderr: true });
}

function jsonLine({ seq, at, type, alarm = false, refundNo }: WatchedEntry): string {
  return JSON.stringify({ seq, at, type, alarm, refundNo });
}

function textLine({ seq, at, type, alarm, refundNo }: WatchedEntry): string {
  const marks = [refundNo ?? "", alarm === true ? "ALARM" : ""].filter((mark) => mark !== "");
  return [timeText(at), String(seq), type, ...marks].join("  ");
}
