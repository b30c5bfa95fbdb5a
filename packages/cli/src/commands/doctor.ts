import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type Examination, examine } from "../doctor-checks.js";
import { databaseCommand, examples, GATEWAY_OPTIONS, POLICY_OPTION } from "../settings.js";

/** Creates `tillkit doctor`, which checks everything that a host needs. */
export function doctorCommand({ io, report }: Context) {
  return databaseCommand("doctor")
    .description(
      "Check everything that a host needs: connection, server version, migrations, tables, indexes, grants, the distribution over a Citus cluster, clocks, limits of connections, a write as the role of the hosts, wallet credentials with their expiry dates, the policy file, whether a sample of up to 400 orders agrees with their timelines, and whether two orders have one number at the wallet. Names the wallets that are simulated; in production they are a problem. Also shows what waits for a person. Writes only the row of the readiness check, and calls no wallet. Exits with 1 if it finds a problem.",
    )
    .option(
      "--keys-file <file>",
      "key file (or TILLKIT_KEYS_FILE); without it, wallet credentials are not checked",
    )
    .option(...POLICY_OPTION)
    .option(...GATEWAY_OPTIONS[0])
    .option(...GATEWAY_OPTIONS[1])
    .option(
      "--application <role>",
      "role that hosts connect as; without it, grants and settings of nodes are not checked",
    )
    .option(
      "--direct-nodes",
      "also connect to each node of a Citus cluster, as hosts with direct connections do",
    )
    .addHelpText(
      "after",
      examples(
        "tillkit doctor",
        "tillkit doctor --application tillkit_host --json",
        "tillkit doctor --direct-nodes",
      ),
    )
    .action((options) => report(options, examine(io, options).map(answerOf)));
}

function answerOf({ findings, skipped, orders, waiting, notes }: Examination): CommandResult {
  const lines = [
    ...findings.map(({ kind, message, fix }) => `${kind}: ${message}\n  ${fix}`),
    ...waiting.map(({ count, what, command }) => `waits for a person: ${what}: ${count}\n  ${command}`),
    ...notes.map((note) => `note: ${note}`),
    ...skipped.map((what) => `not checked: ${what}`),
    ...(orders === 0 ? [] : [`Orders compared with their timelines: ${orders}.`]),
    findings.length === 0 ? "No problem was found." : `Problems found: ${findings.length}.`,
  ];
  return {
    data: { findings, waiting, skipped, orders, notes },
    text: lines.join("\n"),
    finding: findings.length > 0,
  };
}
