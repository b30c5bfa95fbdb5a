import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import type { Writable } from "node:stream";
import { orderLine, type OrderKey, type Ports } from "@tillkit/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure } from "../failure.js";
import { withPorts } from "../ports.js";
import { fileFailure } from "../read-text.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";

const PAGE = 500;

/** Creates `tillkit export`, which writes the files that `tillkit import` reads. */
export function exportCommand({ io, report }: Context) {
  const orders = keyedCommand("orders")
    .description(
      "Write all orders to a file that `tillkit import orders` reads, sorted by bizNo and app. Only the owner can read the file. It contains neither credentials nor the customer's id at a wallet, and no timelines or single refunds.",
    )
    .argument("<file>", "the JSON Lines file to write; an existing file is replaced at the end")
    .option("--app <app-id>", "export only the orders of this app")
    .addHelpText(
      "after",
      examples("tillkit export orders orders.jsonl", "tillkit export orders notes.jsonl --app app_1"),
    )
    .action((file, { app, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) => new ResultAsync(exportAll(ports, file, app))),
      ),
    );

  return groupCommand("export")
    .description("Write records to files that `tillkit import` reads.")
    .addCommand(orders);
}

async function exportAll(
  ports: Pick<Ports, "orders">,
  file: string,
  appId: string | undefined,
): Promise<Result<CommandResult, CliFailure>> {
  const draft = `${file}.part`;
  try {
    const out = createWriteStream(draft, { mode: 0o600 });
    const written = await writeOrders(out, ports, appId);
    out.end();
    await once(out, "close");
    if (written.isErr()) return err(written.error);
    await rename(draft, file);
    return ok({
      data: { file, orders: written.value },
      text: `${written.value} orders are in ${file}.`,
    });
  } catch (error) {
    return err(fileFailure(error));
  }
}

async function writeOrders(
  out: Writable,
  { orders }: Pick<Ports, "orders">,
  appId: string | undefined,
): Promise<Result<number, CliFailure>> {
  let total = 0;
  let after: OrderKey | undefined;
  for (;;) {
    const page = await orders.listAll({ appId, after, limit: PAGE });
    if (page.isErr()) return err(coreFailure(page.error));
    total += page.value.length;
    const lines = page.value.map((order) => `${orderLine(order)}\n`).join("");
    if (!out.write(lines)) await once(out, "drain");
    after = page.value.at(-1);
    if (after === undefined) return ok(total);
  }
}
