import type { Bench } from "./harness/bench.js";
import type { BenchRow } from "./harness/row.js";
import { expressRow, fetchRow, nodeRow } from "./rows/binding.js";
import { checkRow } from "./rows/check.js";
import { checkAuthRow } from "./rows/check-auth.js";
import { clientRow } from "./rows/client.js";
import { createRow } from "./rows/create.js";
import { createARow } from "./rows/create-a.js";
import { createBRow } from "./rows/create-b.js";
import { detailRow } from "./rows/detail.js";
import { diskRow } from "./rows/disk.js";
import { downloadsRow } from "./rows/downloads.js";
import { growthRow } from "./rows/growth.js";
import { eventsRow } from "./rows/events.js";
import { historyRow } from "./rows/history.js";
import { singleCallerRow } from "./rows/single-caller.js";
import { memoryAtRestRow, memoryUnderLoadRow } from "./rows/memory.js";
import { processesRow } from "./rows/processes.js";
import { notifyRow } from "./rows/notify.js";
import { notifyARow } from "./rows/notify-a.js";
import { compressedReportRow, reportRow } from "./rows/report.js";
import { signBRow } from "./rows/sign-b.js";
import { smsLoginRow } from "./rows/sms-login.js";
import { startRow } from "./rows/start.js";

/** Opens a row: fills in its data and starts its contestants. */
export type OpenRow = (bench: Bench) => Promise<BenchRow> | BenchRow;

/** Every row by its name, in the order of measurement. */
export const ROWS: Readonly<Record<string, OpenRow>> = {
  detail: detailRow,
  "check-auth": checkAuthRow,
  "create-b": createBRow,
  "create-a": createARow,
  notify: notifyRow,
  "notify-a": notifyARow,
  events: eventsRow,
  "sms-login": smsLoginRow,
  "history-10": (bench) => historyRow(bench, 10, 1),
  "history-1000": (bench) => historyRow(bench, 1_000, 1),
  "history-1000-page-50": (bench) => historyRow(bench, 1_000, 50),
  "history-100000": (bench) => historyRow(bench, 100_000, 1),
  "history-100000-page-50": (bench) => historyRow(bench, 100_000, 50),
  downloads: downloadsRow,
  "growth-create-b": (bench) => growthRow(bench, "create-b"),
  "growth-detail": (bench) => growthRow(bench, "detail"),
  "growth-check-auth": (bench) => growthRow(bench, "check-auth"),
  "growth-history": (bench) => growthRow(bench, "history"),
  disk: diskRow,
  "lone-create-b": (bench) => singleCallerRow(bench, "create-b"),
  "lone-detail": (bench) => singleCallerRow(bench, "detail"),
  processes: processesRow,
  start: startRow,
  "memory-rest": memoryAtRestRow,
  "memory-load": (bench) => memoryUnderLoadRow(bench, "load"),
  "memory-million": (bench) => memoryUnderLoadRow(bench, "million"),
  "sign-b": signBRow,
  create: createRow,
  check: checkRow,
  report: reportRow,
  "report-compressed": compressedReportRow,
  "binding-express": expressRow,
  "binding-node": nodeRow,
  "binding-fetch": fetchRow,
  client: clientRow,
};
