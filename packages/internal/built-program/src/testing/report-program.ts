// Prints facts about the running program. Imports a package of this repository and an npm package.
import { centsOfYuan } from "@tillkit/core";
import { z } from "zod";

const [argument] = process.argv.slice(2);
const facts = {
  cents: centsOfYuan("12.34"),
  installed: z.string().parse("here"),
  place: import.meta.url,
  argument,
};
process.stdout.write(JSON.stringify(facts));
