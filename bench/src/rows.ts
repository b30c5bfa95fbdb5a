import type { Bench } from "./harness/bench.js";
import type { Row } from "./harness/row.js";
import { expressRow, fetchRow, nodeRow } from "./rows/binding.js";
import { checkRow } from "./rows/check.js";
import { checkAuthRow } from "./rows/check-auth.js";
import { createRow } from "./rows/create.js";
import { createBRow } from "./rows/create-b.js";
import { detailRow } from "./rows/detail.js";
import { reportRow } from "./rows/report.js";
import { signBRow } from "./rows/sign-b.js";

/** Opens a row: fills what it needs and starts its contestants. */
export type OpenRow = (bench: Bench) => Promise<Row> | Row;

/** Every row by its name, in the order in which they are measured. */
export const ROWS: Readonly<Record<string, OpenRow>> = {
  detail: detailRow,
  "check-auth": checkAuthRow,
  "create-b": createBRow,
  "sign-b": signBRow,
  create: createRow,
  check: checkRow,
  report: reportRow,
  "binding-express": expressRow,
  "binding-node": nodeRow,
  "binding-fetch": fetchRow,
};
