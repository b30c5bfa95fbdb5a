import { createDownloadsClient } from "@tillkit/core";
import {
  type ChangeDownloadsClientPorts,
  disableDownloadsClient,
  enableDownloadsClient,
  type OperatorCommand,
  rotateDownloadsClient,
  setDownloadsClientLimit,
} from "@tillkit/core/operators";
import type { DownloadsClient } from "@tillkit/core/ports";
import { postgresDownloadsClientStore, type SqlClient } from "@tillkit/postgres";
import { systemRandom } from "@tillkit/runtime";
import type { ResultAsync } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { coreFailure } from "../failure.js";
import type { Io } from "../io.js";
import { wholeNumberTo } from "../numbers.js";
import { AUDIT_OPTIONS, CSV_OPTION, databaseCommand, examples, groupCommand } from "../settings.js";

const TITLES = ["CLIENT ID", "APP ID", "DAILY LIMIT", "STATE", "CREATED"];
const HOUR = 3_600_000;

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
    .option(
      "--id <client-id>",
      "the client's id, 16 to 64 characters of which 8 differ (default: a generated id)",
    )
    .option(
      "--allow-guessable-id",
      "accept a shorter --id, for a client that moves from another service; anyone who guesses it reads the report",
    )
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", examples("tillkit clients create --app app_1 --daily-limit 100"))
    .action(({ app, dailyLimit, id, allowGuessableId, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withDatabase(io, options, ({ sql, schema }) => {
            const input = {
              appId: app,
              dailyLimit,
              allowGuessableId: allowGuessableId === true,
              ...(id === undefined ? {} : { clientId: id }),
            };
            return createDownloadsClient(portsOn(io, sql, schema), input, by)
              .mapErr(coreFailure)
              .map((client) => answerOf(io, client));
          }),
        ),
      ),
    );

  /** Changes a client, and prints it. */
  const change = (
    options: ChangeOptions,
    make: (
      ports: ChangeDownloadsClientPorts,
      by: OperatorCommand | undefined,
    ) => ResultAsync<DownloadsClient, CoreProblem>,
  ) =>
    report(
      options,
      commandOf(io, options).asyncAndThen((by) =>
        withDatabase(io, options, ({ sql, schema }) =>
          make(portsOn(io, sql, schema), by)
            .mapErr(coreFailure)
            .map((client) => answerOf(io, client)),
        ),
      ),
    );

  const set = databaseCommand("set")
    .description("Change the daily limit of a client. Running hosts apply it within a second.")
    .argument("<client-id>", "the client")
    .requiredOption(
      "--daily-limit <requests>",
      "maximum number of requests per business day",
      wholeNumberTo(10_000_000_000),
    )
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", examples("tillkit clients set dlc_1 --daily-limit 500"))
    .action((clientId, { dailyLimit, ...options }) =>
      change(options, (ports, by) => setDownloadsClientLimit(ports, clientId, dailyLimit, by)),
    );

  const rotate = databaseCommand("rotate")
    .description(
      "Give a client a new id and print it. The new id has an allowance of its own. The previous id works during the overlap.",
    )
    .argument("<client-id>", "the client")
    .option("--overlap-hours <hours>", "how long the previous id stays valid", wholeNumberTo(366 * 24), 24)
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText(
      "after",
      examples("tillkit clients rotate dlc_1", "tillkit clients rotate dlc_1 --overlap-hours 0"),
    )
    .action((clientId, { overlapHours, ...options }) =>
      change(options, (ports, by) =>
        rotateDownloadsClient(ports, { clientId, overlap: overlapHours * HOUR }, by),
      ),
    );

  const disable = databaseCommand("disable")
    .description("Refuse every request of a client. Running hosts do so within a second.")
    .argument("<client-id>", "the client")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", examples("tillkit clients disable dlc_1"))
    .action((clientId, options) =>
      change(options, (ports, by) => disableDownloadsClient(ports, clientId, by)),
    );

  const enable = databaseCommand("enable")
    .description(
      "Accept requests of a disabled client again, or keep accepting an id that a rotation has replaced.",
    )
    .argument("<client-id>", "the client")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", examples("tillkit clients enable dlc_1"))
    .action((clientId, options) =>
      change(options, (ports, by) => enableDownloadsClient(ports, clientId, by)),
    );

  const list = databaseCommand("list")
    .description("List every client.")
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit clients list"))
    .action((options) =>
      report(
        options,
        withDatabase(io, options, ({ sql, schema, onUnreadable }) =>
          postgresDownloadsClientStore(sql, schema, onUnreadable)
            .list()
            .mapErr(coreFailure)
            .map((clients) => ({
              data: { clients },
              text: table(
                TITLES,
                clients.map((client) => rowOf(io, client)),
              ),
            })),
        ),
      ),
    );

  return groupCommand("clients")
    .description("Manage the clients that may request the download report.")
    .addCommand(create)
    .addCommand(list)
    .addCommand(set)
    .addCommand(rotate)
    .addCommand(disable)
    .addCommand(enable);
}

type ChangeOptions = Parameters<Context["report"]>[0] &
  Parameters<typeof commandOf>[1] &
  Parameters<typeof withDatabase>[1];
type CoreProblem = Parameters<typeof coreFailure>[0];

function portsOn(io: Io, sql: SqlClient, schema: string): ChangeDownloadsClientPorts {
  const downloadsClients = postgresDownloadsClientStore(sql, schema);
  return { downloadsClients, clock: io.clock, random: systemRandom };
}

function answerOf(io: Io, client: DownloadsClient): CommandResult {
  return { data: { client }, text: table(TITLES, [rowOf(io, client)]) };
}

function rowOf(
  { clock }: Io,
  { clientId, appId, dailyLimit, gmtCreate, endsAt }: DownloadsClient,
): readonly string[] {
  const works = endsAt === undefined ? "enabled" : `works until ${timeText(endsAt)}`;
  const state = endsAt !== undefined && endsAt <= clock.now() ? "disabled" : works;
  return [clientId, appId, String(dailyLimit), state, timeText(gmtCreate)];
}
