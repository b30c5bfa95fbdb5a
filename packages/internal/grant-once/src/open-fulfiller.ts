import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TillkitClient } from "@tillkit/client";
import { createFulfiller, type Fulfiller } from "@tillkit/client/fulfil";
import { type PgQueries, postgresFulfilmentStore } from "@tillkit/client/fulfil/postgres";
import pg from "pg";

/** Where the service and the database are. */
export interface Place {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly appId: string;
  readonly appSecret: string;
}

/** The time in milliseconds after which another process may continue the work of a dead process. */
const LEASE = 400;
/** The longest pause in an effect, so that kills hit it. Milliseconds. */
const LONGEST_EFFECT = 40;

/** Creates a fulfiller whose effects write one row each. */
export function openFulfiller({ databaseUrl, ...service }: Place): {
  readonly fulfiller: Fulfiller;
  readonly pool: pg.Pool;
} {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const note = (effect: "granted" | "revoked") => async (bizNo: string, tx: PgQueries) => {
    await sleep(randomInt(LONGEST_EFFECT));
    await tx.query("insert into effects (biz_no, effect) values ($1, $2)", [bizNo, effect]);
    await sleep(randomInt(LONGEST_EFFECT));
  };
  const [granted, revoked] = [note("granted"), note("revoked")];
  const fulfiller = createFulfiller({
    client: new TillkitClient(service),
    store: postgresFulfilmentStore({ pool, effects: "transactional" }),
    grant: ({ bizNo }, { tx }) => granted(bizNo, tx),
    revoke: ({ bizNo }, { tx }) => revoked(bizNo, tx),
    lease: LEASE,
    // Every 50 milliseconds, because a round lasts about a second.
    schedule: Array.from({ length: 2_000 }, (_, nth) => (nth + 1) * 50),
  });
  return { fulfiller, pool };
}
