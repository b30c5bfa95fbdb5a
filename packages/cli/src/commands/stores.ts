import { changeStores, storeKey, storesOf } from "@tillkit/core/operators";
import type { ChangedStores, DownloadsStore, StoreChange } from "@tillkit/core/ports";
import { postgresDownloadsSource } from "@tillkit/postgres";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import { type CommandResult, table } from "../answer.js";
import { type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { AUDIT_OPTIONS, CSV_OPTION, databaseCommand, examples, groupCommand } from "../settings.js";
import { counted } from "../counted.js";

const DRY_RUN = ["--dry-run", "show what the command would do, and change nothing"] as const;

type ChangeOptions = Parameters<Context["report"]>[0] &
  Parameters<typeof withDatabase>[1] &
  AuditOptions & { readonly dryRun?: true | undefined };

/** Creates `tillkit stores`, which manages the names of the stores of download counts. */
export function storesCommand({ io, report }: Context) {
  /** Makes changes, one after the other, and prints what each did. */
  const change = (options: ChangeOptions, changes: readonly StoreChange[]) =>
    report(
      options,
      commandOf(io, options).asyncAndThen((by) =>
        withDatabase(io, options, ({ sql, schema }) => {
          const ports = { downloads: postgresDownloadsSource(sql, schema), clock: io.clock };
          const dryRun = options.dryRun === true;
          const first: ResultAsync<readonly ChangedStores[], CliFailure> = okAsync([]);
          return changes
            .reduce(
              (made, one) =>
                made.andThen((earlier) =>
                  changeStores(ports, one, by, { dryRun })
                    .mapErr((problem) =>
                      failureAt(one, changes.slice(0, dryRun ? 0 : earlier.length), problem),
                    )
                    .map((changed) => [...earlier, changed]),
                ),
              first,
            )
            .map((made) => answerOf(made, dryRun));
        }),
      ),
    );

  const changing = (name: string, description: string) =>
    databaseCommand(name)
      .description(description)
      .option(...DRY_RUN)
      .option(...AUDIT_OPTIONS[0])
      .option(...AUDIT_OPTIONS[1]);

  const list = databaseCommand("list")
    .description("List every store with its other names, and stores that may be the same.")
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit stores list"))
    .action((options) =>
      report(
        options,
        withDatabase(io, options, ({ sql, schema }) =>
          postgresDownloadsSource(sql, schema)
            .storeNames()
            .mapErr(coreFailure)
            .map((names) => listAnswer(storesOf(names))),
        ),
      ),
    );

  const add = changing("add", "Add a store before its first counts, for imports with --strict.")
    .argument("<store>", "the name of the store in reports")
    .addHelpText("after", examples("tillkit stores add 华为"))
    .action((store, options) => change(options, [{ kind: "add", store }]));

  const alias = changing(
    "alias",
    "Give a store another name. From now on, counts that a file lists under this name belong to the store.",
  )
    .argument("<store>", "the store")
    .argument("<names...>", "the other names")
    .addHelpText("after", examples('tillkit stores alias 华为 Huawei "AppGallery"'))
    .action((store, names, options) =>
      change(
        options,
        names.map((name) => ({ kind: "alias", alias: name, store })),
      ),
    );

  const rename = changing(
    "rename",
    "Rename a store in the reports of every app. Its old name is kept as one of its other names.",
  )
    .argument("<store>", "the store")
    .argument("<name>", "the new name")
    .addHelpText("after", examples("tillkit stores rename huawei 华为"))
    .action((store, to, options) => change(options, [{ kind: "rename", store, to }]));

  const merge = changing(
    "merge",
    "Move the counts of stores to another store, in every app. Without --sum or --keep, the command fails if both stores have counts of an app for the same day.",
  )
    .argument("<stores...>", "the stores that end")
    .requiredOption("--into <store>", "the store that stays")
    .option("--sum", "add up the counts of days that both stores have")
    .option("--keep", "keep the counts of the store that stays for days that both stores have")
    .addHelpText(
      "after",
      examples(
        "tillkit stores merge HUAWEI huawei --into 华为 --dry-run",
        "tillkit stores merge HUAWEI huawei --into 华为 --sum",
      ),
    )
    .action((stores, { into, sum, keep, ...options }) => {
      if (sum === true && keep === true)
        return report(options, errAsync(usage("Use one of --sum and --keep.")));
      const days = sum === true ? "sum" : keep === true ? "keep" : "refuse";
      return change(
        options,
        stores.map((store) => ({ kind: "merge", store, into, days })),
      );
    });

  return groupCommand("stores")
    .description("Manage the names of the stores of download counts.")
    .addCommand(list)
    .addCommand(add)
    .addCommand(alias)
    .addCommand(rename)
    .addCommand(merge);
}

function listAnswer(stores: readonly DownloadsStore[]): CommandResult {
  const keys = new Map<string, string[]>();
  for (const { store } of stores) keys.set(storeKey(store), [...(keys.get(storeKey(store)) ?? []), store]);
  const listed = stores.map((one) => ({
    ...one,
    sameAs: (keys.get(storeKey(one.store)) ?? []).filter((other) => other !== one.store),
  }));
  const rows = listed.map(({ store, aliases, sameAs }) => [store, aliases.join(", "), sameAs.join(", ")]);
  return { data: { stores: listed }, text: table(["STORE", "OTHER NAMES", "MAY BE THE SAME AS"], rows) };
}

/** Creates the failure of a change. Names the changes that were made before, because they stay. */
function failureAt(
  change: StoreChange,
  made: readonly StoreChange[],
  problem: Parameters<typeof coreFailure>[0],
): CliFailure {
  const failed = coreFailure(problem);
  if (made.length === 0) return failed;
  const names = made.map(nameIn).join(", ");
  return { ...failed, message: `Done, and stays: ${names}. Failed: ${nameIn(change)}. ${failed.message}` };
}

/** Returns the name that differs between the changes of one command. */
function nameIn(change: StoreChange): string {
  return change.kind === "alias" ? change.alias : change.store;
}

function answerOf(made: readonly ChangedStores[], dryRun: boolean): CommandResult {
  const lines = made.map(({ store, changed, movedDays, daysInBoth }) => {
    if (!changed) return `${store}: nothing to change.`;
    const both = daysInBoth === 0 ? "" : `, ${counted(daysInBoth, "day")} that both stores have`;
    return `${store}: ${dryRun ? "would be changed" : "changed"}, ${counted(movedDays, "day")} moved${both}.`;
  });
  const alone = dryRun && made.length > 1 ? ["Each line is what its change alone would do."] : [];
  return { data: { changes: made, dryRun }, text: [...lines, ...alone].join("\n") };
}
