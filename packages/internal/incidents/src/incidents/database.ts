import type { Incident } from "../incident.js";
import type { Scenario } from "../scenario.js";
import { repeat } from "../repeat.js";
import { mountSmallDisk, type SmallDisk } from "../small-disk.js";

/** Ends the connections of the host, so that new ones get changed settings. */
const disconnect = ({ role }: Scenario): string =>
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}';`;

const disks = new WeakMap<Scenario, SmallDisk>();

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
  {
    name: "Disk full",
    alerts: ["TillkitHostNotReady", "TillkitStorageFails"],
    cause: { ...doctor, shows: /disk of the database is full/ },
    prepare: async (scenario) => {
      const disk = await mountSmallDisk();
      if (disk === undefined) return;
      disks.set(scenario, disk);
      const { database } = scenario;
      await scenario.asOwner(`create tablespace small_disk location '${disk.folder}'`, "postgres");
      await scenario.asOwner(`alter database ${database} set tablespace small_disk`, "postgres");
      scenario.afterwards(async () => {
        await scenario.asOwner("drop tablespace small_disk", "postgres");
        await disk.remove();
      });
    },
    stage: async (scenario, signal) => {
      const disk = disks.get(scenario);
      if (disk === undefined) await refuseWrites(scenario);
      else await disk.fill();
      await repeat(signal, 20, (nth) => scenario.order(`disk-full-${nth}`));
    },
  },
  {
    name: "Connection limit reached",
    alerts: ["TillkitHostNotReady", "TillkitStorageFails"],
    cause: { ...doctor, shows: /few-connections|too many connections/ },
    stage: async (scenario, signal) => {
      const { role } = scenario;
      await scenario.asOwner(`alter role ${role} connection limit 4; ${disconnect(scenario)}`);
      await repeat(signal, 100, () =>
        Promise.all(Array.from({ length: 20 }, () => scenario.ask("/payTools.json"))),
      );
    },
  },
];

/** Refuses writes as a full disk does, on a machine where no small disk can be mounted. */
async function refuseWrites(scenario: Scenario): Promise<void> {
  console.log("Disk full: this process may not mount a small disk, so triggers refuse the writes.");
  await scenario.asOwner(`
    create function tillkit.disk_full() returns trigger language plpgsql as
      $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger disk_full before insert on tillkit.orders execute function tillkit.disk_full();
    create trigger disk_full before insert or update on tillkit.readiness execute function tillkit.disk_full();
  `);
}
