import type { Incident } from "../incident.js";
import type { Scenario } from "../scenario.js";
import { repeat } from "../repeat.js";

/** Ends the connections of the host, so that new ones get changed settings. */
const disconnect = ({ role }: Scenario): string =>
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}';`;

const doctor = {
  command: "tillkit doctor --application",
  with: ({ role }: Scenario) => [role],
} as const;

/** Incidents of the database. */
export const DATABASE_INCIDENTS: readonly Incident[] = [
  {
    name: "Database read-only",
    alerts: ["TillkitHostNotReady", "TillkitStorageFails"],
    cause: { ...doctor, shows: /read-only/ },
    stage: async (scenario, signal) => {
      const { database } = scenario;
      await scenario.asOwner(
        `alter database ${database} set default_transaction_read_only = on; ${disconnect(scenario)}`,
        "postgres",
      );
      await repeat(signal, 500, (nth) => scenario.order(`read-only-${nth}`));
    },
  },
];
