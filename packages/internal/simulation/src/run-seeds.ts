import { z } from "zod";
import { run } from "./run.js";
import { storeOpener } from "./storages.js";
import { seededChoices } from "./choice-source.js";

// The program of one job of `simulate`: runs the given seeds with the stores at the given address,
// and sends each outcome.
const [address, ...seeds] = z.tuple([z.string()], z.coerce.number()).parse(process.argv.slice(2));
const { open, close } = await storeOpener(address);
for (const seed of seeds) {
  const { hash, events, violation } = await run(seededChoices(seed), await open());
  process.send?.({ seed, hash, events, promise: violation?.invariant });
}
await close();
process.disconnect();
