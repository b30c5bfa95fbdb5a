import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@tillkit/built-program";
import { type LocalPostgres, startPostgres } from "@tillkit/local-postgres";
import { pgClient, type SqlClient } from "@tillkit/postgres";
import pg from "pg";
import { prepare } from "../../../server/src/rehearsal/prepare.js";
import { addressesOf, startProgram } from "../../../server/src/rehearsal/program.js";
import { type Ask, requesterOf } from "./ask.js";

const HOST = builtProgram(new URL("../../../server/src/testing/server-program.ts", import.meta.url));

/** A host in its own process with its own database server, and controls for its faults. */
export interface Scenario {
  readonly server: LocalPostgres;
  /** Runs `work` as the owner of the tables, on a new connection that no fault affects. */
  readonly asOwner: (work: (sql: SqlClient) => Promise<void>) => Promise<void>;
  /** The database role of the host. */
  readonly role: string;
  /** Sends a payments request. */
  readonly ask: Ask;
  /** Sets or clears faults of the wallets: the body of `/faults` of the sandbox. */
  readonly injectFault: (change: object) => Promise<void>;
  /** Rejects with the last output of the host if the host ends before `close`. */
  readonly died: Promise<never>;
  readonly close: () => Promise<void>;
}

/**
 * Opens an environment. The host has the default configuration except for `changes`.
 *
 * Its wallets are those of the sandbox.
 */
export async function openScenario(changes: Readonly<Record<string, string>> = {}): Promise<Scenario> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-surroundings-"));
  const server = await startPostgres();
  let endHost = async (): Promise<void> => undefined;
  const close = async (): Promise<void> => {
    await endHost();
    await server.stop();
    await rm(folder, { recursive: true });
  };
  try {
    const prepared = await prepare(server.url, folder);
    const program = startProgram({ ...prepared.environment, ...changes }, [await HOST]);
    let closing = false;
    const died = program.ended.then(() => {
      if (closing) return new Promise<never>(() => undefined);
      throw new Error(`The host ended by itself: ${program.output().slice(-2_000)}`);
    });
    died.catch(() => undefined);
    endHost = async () => {
      closing = true;
      program.child.kill("SIGKILL");
      await program.ended;
    };
    const { api, admin } = await addressesOf(program);
    return {
      server,
      died,
      role: new URL(prepared.environment["DATABASE_URL"] ?? "").username,
      asOwner: async (work) => {
        const url = new URL(server.url);
        url.pathname = new URL(prepared.ownerUrl).pathname;
        const sql = pgClient(new pg.Pool({ connectionString: url.href, max: 1 }));
        try {
          await work(sql);
        } finally {
          await sql.close();
        }
      },
      ask: requesterOf(`${api}/pay`, prepared),
      injectFault: async (change) => {
        await fetch(`${admin}/sandbox/faults`, { method: "POST", body: JSON.stringify(change) });
      },
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
