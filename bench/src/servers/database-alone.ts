import { createPublicKey, verify } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import { runAsProgram } from "../harness/run-as-program.js";
import { play } from "../harness/play.js";
import { workNumbers } from "../load/fill-in.js";
import { CONNECTIONS } from "../load/load.js";
import { databaseWork } from "./database-work.js";

const question = z.object({ ms: z.number() });

/** Runs prepared and pipelined statements on the database, without a server in front of it. */
runAsProgram(async (given) => {
  const { databaseUrl, connections, among, steps, check } = databaseWork.parse(given);
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: databaseUrl, pipeline: true }),
  );
  for (const client of clients) await client.connect();
  const key = check && createPublicKey(check.publicKey);
  const nextNumber = workNumbers({ among });
  const work = async (): Promise<void> => {
    const n = nextNumber();
    if (check !== undefined && key !== undefined) {
      const right = verify(
        "RSA-SHA256",
        Buffer.from(check.text),
        key,
        Buffer.from(check.signature, "base64"),
      );
      if (!right) throw new Error("The signature is wrong.");
    }
    for (const [index, { text, values, rows }] of steps.entries()) {
      const filled = values.map((value) => value.replaceAll("{n}", `${n}`));
      const done = await clients[n % connections]?.query({ name: `step ${index}`, text, values: filled });
      if (done?.rowCount !== rows)
        throw new Error(`Work item ${n} changed ${done?.rowCount} rows instead of ${rows}: ${text}`);
    }
  };
  return {
    says: "ready",
    answer: async (requested) => ({
      ...(await play(work, CONNECTIONS, question.parse(requested).ms)),
      rss: process.memoryUsage.rss() / 1_048_576,
    }),
  };
});
