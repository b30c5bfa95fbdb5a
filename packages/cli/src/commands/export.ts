import { randomUUID } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import { customerLine, orderLine, serviceLine } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { withPorts } from "../ports.js";
import { writeFailure } from "../read-text.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";

const PAGE = 500;
const FILE_ARGUMENT = [
  "<file>",
  "the JSON Lines file to write; an existing file is replaced at the end",
] as const;

/** Creates `tillkit export`, which writes the files that `tillkit import` reads. */
export function exportCommand({ io, report }: Context) {
  const orders = keyedCommand("orders")
    .description(
      "Write all orders to a file that `tillkit import orders` reads, sorted by bizNo and app. Only the owner can read the file. It contains no credentials, no customer ids of the wallets, no timelines and no single refunds.",
    )
    .argument(...FILE_ARGUMENT)
    .option("--app <app-id>", "export only the orders of this app")
    .addHelpText(
      "after",
      examples("tillkit export orders orders.jsonl", "tillkit export orders notes.jsonl --app app_1"),
    )
    .action((file, { app: appId, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          exportTo(file, "orders", orderLine, (after) => ports.orders.listAll({ appId, after, limit: PAGE })),
        ),
      ),
    );

  const services = keyedCommand("services")
    .description(
      "Write the timed services of all customers to a file that `tillkit import services` reads. Only the owner can read the file.",
    )
    .argument(...FILE_ARGUMENT)
    .option("--app <app-id>", "export only the services of this app")
    .addHelpText("after", examples("tillkit export services services.jsonl"))
    .action((file, { app: appId, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          exportTo(file, "services", serviceLine, (after) =>
            ports.services.listAll({ appId, after, limit: PAGE }),
          ),
        ),
      ),
    );

  const customers = keyedCommand("customers")
    .description(
      "Write all customers to a file that `tillkit import customers` reads. Only the owner can read the file. It contains keyed hashes instead of phone numbers, so only a host with the same key file can use it.",
    )
    .argument(...FILE_ARGUMENT)
    .option("--app <app-id>", "export only the customers of this app")
    .addHelpText("after", examples("tillkit export customers customers.jsonl"))
    .action((file, { app: appId, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          exportTo(file, "customers", customerLine, (after) =>
            ports.sessions.listCustomers({ appId, after, limit: PAGE }),
          ),
        ),
      ),
    );

  return groupCommand("export")
    .description("Write records to files that `tillkit import` reads.")
    .addCommand(orders)
    .addCommand(services)
    .addCommand(customers);
}

type NextPage<T> = (after: T | undefined) => ResultAsync<readonly T[], StorageFailure>;

function exportTo<T>(
  file: string,
  records: "orders" | "services" | "customers",
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): ResultAsync<CommandResult, CliFailure> {
  return new ResultAsync(writeFile(file, lineOf, nextPage)).map((total) => ({
    data: { file, [records]: total },
    text: `Exported ${records}: ${total}. The file is ${file}.`,
  }));
}

/** Writes a file beside `file`, and renames it at the end, so that `file` is never incomplete. */
async function writeFile<T>(
  file: string,
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    // A rename would replace a device such as /dev/stdout, for every program of the machine.
    if (!(await isReplaceable(file)))
      return err(usage(`${file} is not a regular file: give the path of a new or a regular file.`));
    const written = await writeDraft(draft, lineOf, nextPage);
    if (written.isOk()) await rename(draft, file);
    else await rm(draft, { force: true });
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    return err(writeFailure(error));
  }
}

async function isReplaceable(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}

async function writeDraft<T>(
  draft: string,
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  const handle = await open(draft, "wx", 0o600);
  try {
    let total = 0;
    let after: T | undefined;
    for (;;) {
      const page = await nextPage(after);
      if (page.isErr()) return err(coreFailure(page.error));
      total += page.value.length;
      await handle.appendFile(page.value.map((record) => `${lineOf(record)}\n`).join(""));
      after = page.value.at(-1);
      if (after !== undefined) continue;
      await handle.sync();
      return ok(total);
    }
  } finally {
    await handle.close();
  }
}
