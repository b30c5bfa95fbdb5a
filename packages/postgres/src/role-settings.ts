import { type PgOptions, settingsOf } from "./pg-client.js";
import { quoted } from "./tables.js";

/**
 * The SQL that gives the role `application` its time-outs in `database`, and what else `pgClient` counts on, for connections through a pooler that takes no settings: `pgClient` is then told
 * `settings: "role"`. It needs a role that may alter that one, which the tables' owner mostly may not. It holds for connections made afterwards.
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
