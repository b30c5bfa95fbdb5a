import { createPublicKey, verify } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import { runAsProgram } from "../harness/run-as-program.js";
import { play } from "../harness/play.js";
import { workNumbers } from "../load/fill-in.js";
import { CONNECTIONS } from "../load/load.js";
import { batchedByTurn } from "./batched-by-turn.js";
import { databaseWork } from "./database-work.js";

const question = z.union([z.object({ ms: z.number() }), z.literal("taken")]);

/** Runs prepared and pipelined statements on the database, without a server in front of it. */
runAsProgram(async (given) => {
  const { databaseUrl, connections, among, steps, batched, check } = databaseWork.parse(given);
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: databaseUrl, pipeline: true }),
  );
  for (const client of clients) await client.connect();
  const key = check && createPublicKey(check.publicKey);
  const numbers = workNumbers({ among });
  const run = async (index: number, n: number, works: number, values: readonly string[]): Promise<void> => {
    const { text = "", rows = 0 } = steps[index] ?? {};
    const done = await clients[n % connections]?.query({ name: `step ${index}`, text, values: [...values] });
    if (done?.rowCount !== works * rows)
      throw new Error(`Work item ${n} changed ${done?.rowCount} rows instead of ${works * rows}: ${text}`);
  };
  const groups = steps.map((_, index) =>
    batchedByTurn<readonly string[]>((calls, nth) => {
      const given = calls.map((values) => Object.fromEntries(values.map((value, v) => [`v${v}`, value])));
      return run(index, nth, calls.length, [JSON.stringify(given)]);
    }),
  );
  const work = async (): Promise<void> => {
    const n = numbers.next();
    if (check !== undefined && key !== undefined) {
      const right = verify(
        "RSA-SHA256",
        Buffer.from(check.text),
        key,
        Buffer.from(check.signature, "base64"),
      );
      if (!right) throw new Error("The signature is wrong.");
    }
    for (const [index, { values }] of steps.entries()) {
      const filled = values.map((value) => value.replaceAll("{n}", `${n}`));
      await (batched ? groups[index]?.(filled) : run(index, n, 1, filled));
    }
  };
  return {
    says: "ready",
    answer: async (requested) => {
      const wanted = question.parse(requested);
      if (wanted === "taken") return numbers.taken();
      return {
        ...(await play(work, CONNECTIONS, wanted.ms)),
        rss: process.memoryUsage.rss() / 1_048_576,
      };
    },
  };
});
