import { z } from "zod";
import { run } from "./run.js";
import { seededTape } from "./tape.js";

// The program of one job of `simulate`: it runs the seeds it was given and sends what became of each.
for (const seed of z.array(z.coerce.number()).parse(process.argv.slice(2))) {
  const { hash, events, violation } = await run(seededTape(seed));
  process.send?.({ seed, hash, events, promise: violation?.promise });
}
process.disconnect();
