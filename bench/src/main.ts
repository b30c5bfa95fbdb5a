import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Figure, measure } from "./measure.js";
import { expressRow, fetchRow, nodeRow } from "./rows/binding.js";
import { checkRow } from "./rows/check.js";
import { createRow } from "./rows/create.js";
import { reportRow } from "./rows/report.js";
import { signBRow } from "./rows/sign-b.js";

const ROWS = {
  "sign-b": signBRow,
  create: createRow,
  check: checkRow,
  report: reportRow,
  "binding-express": expressRow,
  "binding-node": nodeRow,
  "binding-fetch": fetchRow,
};

const { values } = parseArgs({
  options: { only: { type: "string" }, json: { type: "string" }, help: { type: "boolean", short: "h" } },
});

if (values.help === true) {
  console.log(`npm run bench -- [--only ${Object.keys(ROWS).join("|")}] [--json FILE]`);
} else if (!Object.keys(ROWS).some(isWanted)) {
  console.error(`No row is called "${String(values.only)}"; there are ${Object.keys(ROWS).join(", ")}.`);
  process.exitCode = 2;
} else {
  const results: Record<string, readonly Figure[]> = {};
  for (const [name, open] of Object.entries(ROWS)) {
    if (!isWanted(name)) continue;
    console.log(`\n${name}`);
    const figures = await measure(await open());
    results[name] = figures;
    console.table(
      figures.map((figure) => ({
        contestant: figure.name,
        "per second": Math.round(figure.median),
        "CPU µs each": Number(figure.cpu.toPrecision(3)),
        spread: `${String(Math.round(figure.slowest))} – ${String(Math.round(figure.fastest))}`,
        "ours / this": figure.ratio.toFixed(2),
      })),
    );
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

/** A row by its name, or several by the word with which their names begin. */
function isWanted(name: string): boolean {
  const { only } = values;
  return only === undefined || name === only || name.startsWith(`${only}-`);
}
