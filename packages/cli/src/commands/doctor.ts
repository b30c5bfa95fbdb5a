import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type Examination, examine } from "../examine.js";
import { databaseCommand, examples } from "../settings.js";

/** Creates `tillkit doctor`, which looks for everything that keeps a host from working. */
export function doctorCommand({ io, report }: Context) {
  return databaseCommand("doctor")
    .description(
      "Look for what keeps a host from working: connection, server version, migrations, tables, indexes, grants, wallet credentials and when they end, clocks. Changes nothing. Ends with 1 if it found something.",
    )
    .option(
      "--keys-file <file>",
      "key file (or TILLKIT_KEYS_FILE); credentials are not looked at without one",
    )
    .option("--application <role>", "role the hosts connect as; grants are not looked at without one")
    .addHelpText("after", examples("tillkit doctor", "tillkit doctor --application tillkit_host --json"))
    .action((options) => report(options, examine(io, options).map(answerOf)));
}

function answerOf({ findings, skipped }: Examination): CommandResult {
  const lines = [
    ...findings.map(({ kind, message, fix }) => `${kind}: ${message}\n  ${fix}`),
    ...skipped.map((what) => `not looked at: ${what}`),
    findings.length === 0 ? "Nothing wrong was found." : `${findings.length} findings.`,
  ];
  return { data: { findings, skipped }, text: lines.join("\n"), finding: findings.length > 0 };
}
