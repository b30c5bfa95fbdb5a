import type { BillReportInput } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import { z } from "zod";
import type { CliFailure } from "../failure.js";
import type { Server } from "./open-server.js";

const reportSchema = z.object({
  from: z.string(),
  until: z.string(),
  isComplete: z.boolean(),
  total: z.object({
    payments: z.int(),
    paymentAmount: z.int(),
    refunds: z.int(),
    refundAmount: z.int(),
    received: z.int(),
    fees: z.int(),
    net: z.int(),
  }),
  accounts: z.array(z.unknown()),
  missingDays: z.array(z.object({ days: z.array(z.string()) })),
  openExceptions: z.array(z.object({ count: z.int() })),
  hasMoreExceptions: z.boolean(),
  differences: z.array(z.unknown()),
});

/** A report as the server returns it. */
export type ReportAtServer = z.output<typeof reportSchema>;

/** Reads the sums of a report, and its file. */
export function readReport(
  server: Server,
  { period, appId, payChannel, accountId, appEnv }: BillReportInput,
  lines: boolean,
): ResultAsync<{ readonly report: ReportAtServer; readonly csv: string }, CliFailure> {
  const query = { period, appId, payChannel, accountId, appEnv };
  const ofFile = { ...query, lines: lines ? "true" : undefined };
  return server
    .readFile(["bill-report.csv"], ofFile)
    .andThen((csv) => server.read(["bill-report"], query, reportSchema).map((report) => ({ report, csv })));
}
