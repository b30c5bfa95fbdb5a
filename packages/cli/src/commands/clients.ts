import { createDownloadsClient, type DownloadsClient } from "@tillkit/core";
import { postgresDownloadsClientStore } from "@tillkit/postgres";
import { systemRandom } from "@tillkit/runtime";
import { table, timeText } from "../answer.js";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { coreFailure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { AUDIT_OPTIONS, databaseCommand, examples, groupCommand } from "../settings.js";

const TITLES = ["CLIENT ID", "APP ID", "DAILY LIMIT", "CREATED"];

/** Creates `tillkit clients`, which manages the clients that may request the download report. */
export function clientsCommand({ io, report }: Context) {
  const create = databaseCommand("create")
    .description(
      "Register a client that may read an app's download report. A retry with the same --id returns the existing client.",
    )
    .requiredOption("--app <app-id>", "the app whose report the client may read")
    .requiredOption(
      "--daily-limit <requests>",
      "maximum number of requests per business day",
      wholeNumberTo(10_000_000_000),
    )
    .option("--id <client-id>", "the client's id (default: a generated id)")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", examples("tillkit clients create --app app_1 --daily-limit 100"))
    .action(({ app, dailyLimit, id, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withDatabase(io, options, ({ sql, schema }) => {
            const downloadsClients = postgresDownloadsClientStore(sql, schema);
            const ports = { downloadsClients, clock: io.clock, random: systemRandom };
            const input = { appId: app, dailyLimit, ...(id === undefined ? {} : { clientId: id }) };
            return createDownloadsClient(ports, input, by)
              .mapErr(coreFailure)
              .map((client) => ({ data: { client }, text: table(TITLES, [rowOf(client)]) }));
          }),
        ),
      ),
    );

  const list = databaseCommand("list")
    .description("List every client.")
    .addHelpText("after", examples("tillkit clients list"))
    .action((options) =>
      report(
        options,
        withDatabase(io, options, ({ sql, schema, onUnreadable }) =>
          postgresDownloadsClientStore(sql, schema, onUnreadable)
            .list()
            .mapErr(coreFailure)
            .map((clients) => ({ data: { clients }, text: table(TITLES, clients.map(rowOf)) })),
        ),
      ),
    );

  return groupCommand("clients")
    .description("Manage the clients that may request the download report.")
    .addCommand(create)
    .addCommand(list);
}

function rowOf({ clientId, appId, dailyLimit, gmtCreate }: DownloadsClient): readonly string[] {
  return [clientId, appId, String(dailyLimit), timeText(gmtCreate)];
}
