import { billReportInput, type BillReportInput, openBillReport } from "@tillkit/core";
import { err } from "neverthrow";
import * as z from "zod";
import { operatorName } from "../command-of.js";
import { listExport } from "../list-export.js";
import { operatorRoute, operatorStream } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { sees, visibleApps } from "../visible-apps.js";
import { billReportBody, billReportSchema } from "./report-body.js";
import { reportCsv } from "./report-csv.js";

/** The endpoints of the reports of the wallets' bills, for bookkeeping. */
export const reportsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/bill-report",
    allowed: "read",
    input: billReportInput,
    response: () => billReportSchema,
    run: async (context, input) =>
      (await open(context, input)).map(({ report }) => ({ value: billReportBody(report) })),
  }),
  operatorStream({
    path: "/api/bill-report.csv",
    allowed: "settlements.export",
    input: () =>
      z.intersection(
        billReportInput(),
        z.object({
          lines: z
            .literal("true")
            .optional()
            .describe("Whether the file has a line for each payment and refund."),
        }),
      ),
    run: async (context, { lines, ...input }, request) => {
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
      const opened = await open(context, input);
      if (opened.isErr()) return err(opened.error);
      const { period, appId } = input;
      return listExport(context, request, {
        action: "settlements.export",
        subject: "bill-report",
        appId,
        filter: { ...input, lines },
        apps: visibleApps(context, appId),
        fileName: `bill-report-${period}.csv`,
        lines: reportCsv(opened.value, lines === "true"),
      });
    },
  }),
];

function open(context: RouteContext, input: BillReportInput) {
  return openBillReport(context.ports, input, (appId) => sees(context, appId));
}
