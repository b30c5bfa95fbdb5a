import { type PgOptions, settingsOf } from "../client/pg-client.js";
import { quoted } from "../sql/tables.js";

/**
 * Returns SQL that stores the settings of `pgClient` for the role `application` in `database`.
 *
 * Use it with a pooler that does not keep settings, together with `settings: "role"` of `pgClient`.
 * The SQL needs a role that may alter `application`. The settings apply to connections that are
 * opened afterwards.
 *
 * @returns the SQL of one or more statements.
 * @example
 * ```ts
 * import { roleSettingsSql } from "@tillkit/postgres";
 *
 * const script = roleSettingsSql("shop", "tillkit_app", { statementMs: 5_000 });
 * ```
 */
export function roleSettingsSql(
  database: string,
  application: string,
  { statementMs, idleInTransactionMs }: Pick<PgOptions, "statementMs" | "idleInTransactionMs"> = {},
): string {
  return settingsOf({ statementMs, idleInTransactionMs })
    .map(
      ([name, value]) =>
        `alter role ${quoted(application)} in database ${quoted(database)} set ${name} = ${value};`,
    )
    .join("\n");
}
