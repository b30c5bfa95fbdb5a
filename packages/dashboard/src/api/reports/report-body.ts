import { type BillReport, PAY_CHANNELS } from "@tillkit/core";
import { type BillReportSums, sumBillRows } from "@tillkit/core/operators";
import * as z from "zod";
import { cents } from "../unit-schemas.js";

const dayText = () => z.string().describe("`YYYY-MM-DD`, a day in China.");

const merchantShape = () => ({
  payChannel: z.enum(PAY_CHANNELS),
  accountId: z.string(),
  appEnv: z.enum(["DEV", "PROD"]),
});

const sumsShape = () => ({
  payments: z.int().describe("How many payments."),
  paymentAmount: cents().describe("What the customers paid, in cents."),
  refunds: z.int().describe("How many refunds."),
  refundAmount: cents().describe("What the customers got back, in cents."),
  received: cents().describe("What the account received before fees, in cents."),
  fees: cents().describe("What the wallet kept, in cents. Negative if it returned a fee."),
  net: cents().describe("`received` less `fees`, in cents."),
});

const sumsSchema = z.strictObject(sumsShape()).meta({ id: "BillReportSums" });

const balanceSchema = z.strictObject({ day: dayText(), amount: cents() }).meta({ id: "BillReportBalance" });

/** Schema of the report of a month or day. */
export const billReportSchema = z
  .strictObject({
    from: dayText(),
    until: dayText(),
    isComplete: z
      .boolean()
      .describe("Whether the sums are those of the wallets' bills. False if no account matches."),
    total: sumsSchema,
    days: z
      .array(z.strictObject({ day: dayText(), ...sumsShape() }))
      .readonly()
      .describe("The days with payments or refunds, the oldest first."),
    accounts: z
      .array(
        z.strictObject({
          ...merchantShape(),
          total: sumsSchema,
          apps: z
            .array(z.strictObject({ appId: z.string().optional(), ...sumsShape() }))
            .readonly()
            .describe("The last one has no `appId` if lines belong to no order."),
          opening: balanceSchema
            .optional()
            .describe(
              "The balance before the first day whose fund-flow bill was read. Absent unless the report covers every app of the account.",
            ),
          closing: balanceSchema.optional().describe("The balance after the last such day."),
        }),
      )
      .readonly()
      .describe("Sorted by channel and account."),
    missingDays: z
      .array(z.strictObject({ ...merchantShape(), days: z.array(dayText()).readonly() }))
      .readonly()
      .describe("The days whose bills no run has read."),
    openExceptions: z
      .array(z.strictObject({ day: dayText(), ...merchantShape(), count: z.int() }))
      .readonly()
      .describe("The number of open exceptions of each bill."),
    hasMoreExceptions: z.boolean().describe("Whether more exceptions are open than `openExceptions` counts."),
    differences: z
      .array(
        z.strictObject({
          day: dayText(),
          ...merchantShape(),
          kind: z.enum(["unreadable", "unpriced", "fees", "exceptions"]),
          count: z.int().optional().describe("The number of lines."),
          sum: cents().optional().describe("The fees of the lines, in cents."),
          stated: cents().optional().describe("The bill's own total of fees, in cents."),
        }),
      )
      .readonly()
      .describe("Why the sums of a day are not those of its bill."),
  })
  .meta({ id: "BillReport" });

type Merchant = Pick<BillReport["accounts"][number], "payChannel" | "accountId" | "appEnv">;

/** Returns the report for the page: its sums by day, and by account and app. */
export function billReportBody(report: BillReport): z.output<typeof billReportSchema> {
  const { from, until, isComplete, total, missingDays, hasMoreExceptions, differences } = report;
  const days = [...new Set(report.days.map(({ day }) => day))];
  return {
    from,
    until,
    isComplete,
    total: sumsOf(total),
    days: days.map((day) => ({
      day,
      ...sumsOf(sumBillRows(report.days.filter((row) => row.day === day))),
    })),
    accounts: report.accounts.toSorted(byKey).map((account) => accountOf(report, account)),
    missingDays,
    openExceptions: openExceptionsOf(report),
    hasMoreExceptions,
    differences,
  };
}

function accountOf(report: BillReport, account: Merchant) {
  const isOfAccount = (one: Merchant) => keyOf(one) === keyOf(account);
  const totals = report.totals.filter(isOfAccount);
  const balances = report.balances.filter(isOfAccount);
  const [first, last] = [balances.at(0), balances.at(-1)];
  return {
    ...merchantOf(account),
    total: sumsOf(sumBillRows(totals)),
    apps: totals.map(({ appId, ...sums }) => ({
      ...(appId === undefined ? {} : { appId }),
      ...sumsOf(sums),
    })),
    ...(first?.opening === undefined ? {} : { opening: { day: first.day, amount: first.opening } }),
    ...(last?.closing === undefined ? {} : { closing: { day: last.day, amount: last.closing } }),
  };
}

/** Counts the open exceptions of each bill, in the order of the report. */
function openExceptionsOf({ exceptions }: BillReport) {
  const counts = new Map<string, Merchant & { readonly day: string; readonly count: number }>();
  for (const { day, ...bill } of exceptions) {
    const key = `${day} ${keyOf(bill)}`;
    counts.set(key, { day, ...merchantOf(bill), count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

function merchantOf({ payChannel, accountId, appEnv }: Merchant): Merchant {
  return { payChannel, accountId, appEnv };
}

function byKey(left: Merchant, right: Merchant): number {
  return keyOf(left) < keyOf(right) ? -1 : 1;
}

function keyOf({ payChannel, accountId, appEnv }: Merchant): string {
  return JSON.stringify([payChannel, accountId, appEnv]);
}

function sumsOf({ payments, paymentAmount, refunds, refundAmount, received, fees, net }: BillReportSums) {
  return { payments, paymentAmount, refunds, refundAmount, received, fees, net };
}
