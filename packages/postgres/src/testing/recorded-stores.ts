import type { Stores } from "@tillkit/core";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { KEY, serverSchema } from "./databases.js";
import { recordingClient } from "./recording-client.js";

/** Stores over a new schema, with a record of their statements. */
export interface RecordedStores {
  /** A client whose statements are not recorded. */
  readonly sql: SqlClient;
  readonly schema: string;
  readonly stores: Stores;
  /** Returns the method names of the statements since the previous call of `ran`. */
  readonly ran: () => readonly string[];
}

/**
 * Creates empty stores on the server of the test run. Their schema is dropped after the test.
 *
 * With `distributed`, the stores use the statements for a cluster.
 */
export async function recordedStores({ distributed = false } = {}): Promise<RecordedStores> {
  const { sql, schema } = await serverSchema();
  const recording = recordingClient(sql);
  let seen = 0;
  return {
    sql,
    schema,
    stores: postgresStores({ sql: recording.sql, schema, credentialKeys: [KEY], distributed }),
    ran: () => {
      const names = recording.calls.slice(seen).map((call) => call.statement.name);
      seen = recording.calls.length;
      return names.map((name) => name.replace(/_[0-9a-f]{16}$/, ""));
    },
  };
}
