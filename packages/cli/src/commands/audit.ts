import { Option } from "@commander-js/extra-typings";
import type { AuditEvent } from "@tillkit/core";
import { type AuditCheck, checkAuditLog } from "@tillkit/core/operators";
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditLog, type AuditPosition } from "@tillkit/core/ports";
import { err, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { auditedCommand, commandOf } from "../audit.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { EXPORT_FILE_ARGUMENT, exportTo } from "../export-file.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { wholeNumber, wholeNumberTo } from "../numbers.js";
import { withPorts } from "../ports.js";
import { changingCommand, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";

const PAGE = 500;
const TITLES = ["SEQ", "TIME", "OPERATOR", "ACTION", "OUTCOME", "SUBJECT", "FROM", "REASON"];

/** Creates `tillkit audit`, which reads and checks the log of what operators did. */
export function auditCommand({ io, report }: Context) {
  const list = keyedCommand("list")
    .description("List entries of the audit log, newest first.")
    .option("--operator <name>", "list only entries of this operator")
    .addOption(
      new Option("--action <action>", "list only entries of this action")
        .choices(AUDIT_ACTIONS)
        .argParser(inAnyCase(AUDIT_ACTIONS)),
    )
    .addOption(
      new Option("--outcome <outcome>", "list only entries with this outcome")
        .choices(AUDIT_OUTCOMES)
        .argParser(inAnyCase(AUDIT_OUTCOMES)),
    )
    .option("--app <app-id>", "list only entries about this app")
    .option(
      "--subject <subject>",
      "list only entries about this subject, such as order:app_1/order-1001, or about the number or name in it, such as order-1001",
    )
    .option("--before <seq>", "list only entries before this number, for the next page", wholeNumber)
    .option("--limit <number>", "the maximum number of entries, at most 1000", wholeNumberTo(1_000), 100)
    .option(...CSV_OPTION)
    .addHelpText(
      "after",
      examples(
        "tillkit audit list --operator li",
        "tillkit audit list --subject order:app_1/order-1001",
        "tillkit audit list --outcome refused --limit 20 --json",
      ),
    )
    .action(({ operator, action, outcome, app, subject, before, limit, ...options }) =>
      report(
        options,
        withPorts(io, options, ({ auditLog }) =>
          positionOf(auditLog, before)
            .andThen((position) =>
              auditLog
                .search({
                  operator,
                  action,
                  outcome,
                  subject,
                  before: position,
                  limit,
                  apps: app === undefined ? undefined : [app],
                })
                .mapErr(coreFailure),
            )
            .map(({ items, next }) => ({
              data: { entries: items, ...(next === undefined ? {} : { next: next.seq }) },
              text: [
                table(TITLES, items.map(rowOf)),
                ...(next === undefined ? [] : [`More entries may match: add --before ${next.seq}`]),
              ],
            })),
        ),
      ),
    );

  const verify = keyedCommand("verify")
    .description(
      "Check the hash chain of the whole audit log. Exits with 1 if an entry was changed or removed. To detect also that the last entries were removed, store the number and the hash that the command prints outside the database. Pass them to the next check, which then begins with this entry.",
    )
    .option("--seq <number>", "the number of an entry that you noted", wholeNumber)
    .option("--hash <hash>", "the hash of the entry that you noted")
    .addHelpText(
      "after",
      examples(
        "tillkit audit verify",
        "tillkit audit verify --seq 1204 --hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      ),
    )
    .action(({ seq, hash, ...options }) =>
      report(
        options,
        notedEntry(seq, hash).asyncAndThen((since) =>
          withPorts(io, options, (ports) =>
            checkAuditLog(ports, since).mapErr(coreFailure).map(verifyAnswer),
          ),
        ),
      ),
    );

  const exportLog = changingCommand("export")
    .description(
      "Write the whole audit log to a file with one JSON object per line, oldest first. Only the owner can read the file.",
    )
    .argument(...EXPORT_FILE_ARGUMENT)
    .addHelpText("after", examples("tillkit audit export audit.jsonl"))
    .action((file, options) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) =>
            auditedCommand(ports, by, { action: "audit.export", subject: "audit-log" }, () =>
              exportTo(io, file, "entries", entryLine, (after) => ports.auditLog.read(after?.seq ?? 0, PAGE)),
            ),
          ),
        ),
      ),
    );

  return groupCommand("audit")
    .description("Read and check the audit log, which records what operators did.")
    .addCommand(list)
    .addCommand(verify)
    .addCommand(exportLog);
}

/** Returns the position of an entry, after which the next page begins. */
function positionOf(
  auditLog: Pick<AuditLog, "read">,
  seq: number | undefined,
): ResultAsync<AuditPosition | undefined, CliFailure> {
  if (seq === undefined) return okAsync(undefined);
  return auditLog
    .read(Math.max(0, seq - 1), 1)
    .mapErr(coreFailure)
    .andThen(([entry]) =>
      entry?.seq === seq ? ok(entry) : err(usage(`--before ${seq}: there is no entry with this number.`)),
    );
}

function notedEntry(
  seq: number | undefined,
  hash: string | undefined,
): Result<Pick<AuditEvent, "seq" | "hash"> | undefined, CliFailure> {
  if (seq === undefined && hash === undefined) return ok(undefined);
  if (seq === undefined || hash === undefined || seq < 1)
    return err(usage("Set both --seq and --hash of the entry that you noted, or neither."));
  return ok({ seq, hash });
}

function verifyAnswer({ intactUpTo, brokenAt }: AuditCheck): CommandResult {
  const intact =
    intactUpTo === undefined
      ? undefined
      : `The chain is intact up to entry ${intactUpTo.seq} of ${timeText(intactUpTo.at)}.\nHASH  ${intactUpTo.hash}`;
  const broken =
    brokenAt === undefined
      ? undefined
      : `The chain is broken at entry ${brokenAt}: somebody changed or removed it, or an entry before it.`;
  return {
    data: { intactUpTo: intactUpTo ?? null, brokenAt: brokenAt ?? null },
    text: [broken, intact].filter((line) => line !== undefined).join("\n") || "The audit log is empty.",
    finding: brokenAt !== undefined,
  };
}

function rowOf({ seq, at, operator, action, outcome, subject, from, reason }: AuditEvent) {
  return [String(seq), timeText(at), operator, action, outcome, subject, from, reason];
}

function entryLine(event: AuditEvent): string {
  return JSON.stringify(event);
}
