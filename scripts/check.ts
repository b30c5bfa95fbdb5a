// Runs every check that needs no test, one per processor, and prints the output of each at its end.
// `npm run check -- imports unused` runs only the checks that it names.
import { availableParallelism } from "node:os";
import { root, run, secondsSince } from "@tillkit/repository";

const CHECKS = {
  lint: ["npm", "run", "lint"],
  build: ["npm", "run", "build"],
  shape: ["node", "--import", "tsx", "scripts/shape.ts"],
  typecheck: ["npm", "run", "typecheck"],
  format: ["npx", "prettier", "--check", "."],
  prose: ["npx", "eslint", "--config", "eslint.prose.config.js", "--max-warnings", "0", "**/*.md"],
  docs: ["npm", "run", "docs", "--", "check"],
  openapi: ["node", "--import", "tsx", "scripts/lint-openapi.ts"],
  unused: ["npx", "knip"],
  imports: ["npx", "depcruise", "--config", ".dependency-cruiser.js", "packages", "examples", "bench/src"],
  zh: ["npm", "run", "docs", "--", "zh"],
} as const;
type Check = keyof typeof CHECKS;

/** The longest first. The checks of one row run in sequence. */
const ROWS: readonly (readonly Check[])[] = [
  ["lint"],
  ["build", "shape"],
  ["typecheck"],
  ["format"],
  ["prose"],
  ["docs", "openapi"],
  ["unused"],
  ["imports"],
  ["zh"],
];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(CHECKS, name));
if (unknown.length > 0) {
  console.error(`No check ${unknown.join(", ")}. The checks: ${Object.keys(CHECKS).join(", ")}`);
  process.exit(1);
}
const began = performance.now();
const waiting = ROWS.map((row) => row.filter((name) => named.length === 0 || named.includes(name)));
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, checkOn));
console.log(
  `${failed.length === 0 ? "every check passed" : `failed: ${failed.join(", ")}`} in ${secondsSince(began)} s`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs row after row until none is left. */
async function checkOn(): Promise<void> {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
    for (const name of row) if (!(await passes(name))) break;
  }
}

async function passes(name: Check): Promise<boolean> {
  const start = performance.now();
  const [program, ...args] = CHECKS[name];
  const { code, output } = await run(program, args, root);
  console.log(
    `${output.trimEnd()}\n\n${code === 0 ? "ok    " : "FAILED"} ${name} (${secondsSince(start)} s)`,
  );
  if (code !== 0) failed.push(name);
  return code === 0;
}
