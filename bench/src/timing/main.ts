// Compares the durations of pairs of requests that callers must not be able to distinguish, with
// Welch's t-test on interleaved samples.
import { randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startPostgres } from "@tillkit/local-postgres";
import { orThrow, policyWith } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { nodeDigest, systemClock } from "@tillkit/runtime";
import pg from "pg";
import { type Pair, pairs } from "./pairs.js";
import { compare } from "./welch.js";

/** A difference below this, in microseconds, disappears in the noise of a network. */
const HARMLESS_US = 10;
/** Beyond this, the samples differ with near certainty. */
const CERTAIN_T = 4.5;

const { values } = parseArgs({ options: { samples: { type: "string", default: "5000" } } });
const server = await startPostgres();
const sql = pgClient(new pg.Pool({ connectionString: server.url, max: 2 }));
try {
  await orThrow(migrate({ sql, schema: "tillkit" }));
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  const peppers = credentialKeys;
  const ports = {
    ...memoryPorts(),
    ...postgresStores({ sql, schema: "tillkit", credentialKeys }),
    clock: systemClock,
    digest: nodeDigest({ peppers }),
    // More wrong codes than the pairs send.
    policy: policyWith({ wrongCodesPerHourPerApp: 100_000 }),
  };
  for (const pair of await pairs(ports, Number(values.samples))) {
    const { left, right } = await durationsOf(pair);
    const { meanLeft, meanRight, t } = compare(left, right);
    const difference = Math.abs(meanLeft - meanRight);
    const tells = Math.abs(t) > CERTAIN_T && difference > (pair.harmlessUs ?? HARMLESS_US);
    if (tells) process.exitCode = 1;
    const means = `${pair.left} ${meanLeft.toFixed(1)} µs, ${pair.right} ${meanRight.toFixed(1)} µs`;
    console.log(
      `${tells ? "DIFFERS" : "ok     "} ${pair.name}: ${means}, difference ${difference.toFixed(1)} µs, t = ${t.toFixed(1)}, ${pair.count} of each`,
    );
  }
} finally {
  await sql.close();
  await server.stop();
}

/** Sends both requests in random order, so that what slows the machine slows both. */
async function durationsOf({ count, send }: Pair) {
  const left: number[] = [];
  const right: number[] = [];
  // The first requests also compile the code. Attempts to sign in are limited.
  const warmUp = count > 1_000 ? 1_000 : 0;
  for (let nth = 0; nth < warmUp; nth += 1) await send(nth % 2 === 0, nth);
  for (let nth = 0; nth < count; nth += 1) {
    const first = randomInt(2) === 0;
    for (const isLeft of [first, !first]) {
      const began = process.hrtime.bigint();
      await send(isLeft, nth);
      (isLeft ? left : right).push(Number(process.hrtime.bigint() - began) / 1_000);
    }
  }
  return { left, right };
}
