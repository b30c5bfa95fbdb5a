import { root, run } from "@tillkit/repository";
import { createSchema, dropSchema, freshSchema } from "../cluster-schema.js";
import { type Outcome, outcomeOf } from "../outcome.js";

/** Runs seeds of the simulation on a schema of the cluster. */
export async function runSimulation(url: string, seeds: number): Promise<Outcome> {
  const schema = freshSchema();
  await createSchema(url, schema);
  try {
    const place = ["--storage", "postgres", "--url", url, "--schema", schema];
    const args = ["run", "--silent", "simulate", "--", ...place, "--seeds", String(seeds), "--brief"];
    const { code, output } = await run("npm", args, root);
    const said = output.trim().split("\n").slice(-4);
    return code === 0 ? outcomeOf([], said) : outcomeOf(said);
  } finally {
    await dropSchema(url, schema);
  }
}
