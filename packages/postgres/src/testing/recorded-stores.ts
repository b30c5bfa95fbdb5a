import type { Stores } from "@tillkit/core";
import { postgresStores } from "../postgres-stores.js";
import type { SqlClient } from "../sql-client.js";
import { KEY, serverSchema } from "./databases.js";
import { recordingClient } from "./recording-client.js";

/** Stores over a schema of the test's own, and what they ran. */
export interface RecordedStores {
  /** What is run through this one is not recorded. */
  readonly sql: SqlClient;
  readonly schema: string;
  readonly stores: Stores;
  /** The verbs of the statements since the last time this was asked. */
  readonly ran: () => readonly string[];
}

/** Empty stores on the run's server, which go with the test. */
export async function recordedStores(): Promise<RecordedStores> {
  const { sql, schema } = await serverSchema();
  const recording = recordingClient(sql);
  let seen = 0;
  return {
    sql,
    schema,
    stores: postgresStores({ sql: recording.sql, schema, credentialKeys: [KEY] }),
    ran: () => {
      const names = recording.calls.slice(seen).map((call) => call.statement.name);
      seen = recording.calls.length;
      return names.map((name) => name.replace(/_[0-9a-f]{16}$/, ""));
    },
  };
}
