import {
  BILL_EXCEPTION_KINDS,
  BILL_EXCEPTION_STATES,
  type BillException,
  listBillDays,
  listBillDaysInput,
  listBillExceptions,
  listBillExceptionsInput,
  PAY_CHANNELS,
  parseInput,
  resolveBillException,
  resolveBillExceptionInput,
} from "@tillkit/core";
import { err, ok } from "neverthrow";
import * as z from "zod";
import { operatorName } from "../command-of.js";
import { requireEveryApp, sees, visibleApps } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { operatorRoute } from "../route.js";
import { cents, time } from "../unit-schemas.js";

const exceptionSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(BILL_EXCEPTION_KINDS),
    state: z.enum(BILL_EXCEPTION_STATES),
    payChannel: z.enum(PAY_CHANNELS),
    accountId: z.string(),
    day: z.string().describe("`YYYY-MM-DD`, a day in China."),
    outTradeNo: z.string().describe("The order's number at the wallet. Empty for a whole day."),
    refundNo: z.string().optional(),
    walletTradeNo: z.string().optional(),
    amountThere: cents().optional(),
    amountHere: cents().optional(),
    statusHere: z.string().optional(),
    detail: z.string().optional(),
    order: z.strictObject({ appId: z.string(), bizNo: z.string() }).optional(),
    operator: z.string().optional(),
    note: z.string().optional(),
    gmtCreate: time(),
    gmtModified: time(),
  })
  .meta({ id: "BillException" });

function bodyOf({
  appEnv: _env,
  asOf: _asOf,
  ...exception
}: BillException): z.output<typeof exceptionSchema> {
  return exception;
}

const daySchema = z
  .strictObject({
    day: z.string().describe("`YYYY-MM-DD`, a day in China."),
    payChannel: z.enum(PAY_CHANNELS),
    accountId: z.string(),
    appEnv: z.enum(["DEV", "PROD"]),
    compared: z.boolean().describe("Whether the whole trade bill was compared."),
    matched: z.int().describe("Lines of the trade bill that equal a stored payment or refund."),
    open: z.int().describe("Exceptions that need an operator."),
    resolved: z.int().describe("Exceptions that an operator has resolved."),
    fees: cents().optional().describe("Cents. Absent if no bill states them."),
  })
  .meta({ id: "BillDay" });

/** The endpoints for the wallets' bills, and for the differences between bills and orders. */
export const billsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/bill-days",
    allowed: "read",
    input: listBillDaysInput,
    response: () =>
      z.strictObject({
        items: z
          .array(daySchema)
          .readonly()
          .describe("Newest first. Accounts that an app shares which the operator does not see are absent."),
      }),
    run: async (context, range) => {
      const listed = await listBillDays(context.ports, range, (appId) => sees(context, appId));
      return listed.map((items) => ({ value: { items } }));
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/bill-exceptions",
    allowed: "read",
    input: listBillExceptionsInput,
    response: () =>
      z.strictObject({
        items: z.array(exceptionSchema).readonly(),
        totalCount: z.int().describe("Of the apps that the operator sees."),
      }),
    run: async (context, input) => {
      // Bills belong to merchants, whose orders may be of several apps. An operator of some apps
      // sees only the exceptions of orders of the same apps.
      const listed = await listBillExceptions(context.ports, input, visibleApps(context));
      return listed.map(({ items, totalCount }) => ({ value: { items: items.map(bodyOf), totalCount } }));
    },
  }),
  operatorRoute({
    method: "POST",
    path: "/api/bill-exceptions/{id}/resolve",
    allowed: "bill-exception.resolve",
    action: "bill-exception.resolve",
    subject: ({ id = "" }) => `bill-exception:${id}`,
    input: () => z.object({ id: singleLineText(64), note: z.string().trim().pipe(singleLineText(200)) }),
    response: () => exceptionSchema,
    run: async (context, { id, note }) => {
      const unlimited = requireEveryApp(context);
      if (unlimited.isErr()) return unlimited;
      const resolution = { id, note, operator: operatorName(context) };
      const parsed = parseInput(resolveBillExceptionInput(), resolution);
      if (parsed.isErr()) return err(parsed.error);
      const resolved = await resolveBillException(context.ports, parsed.value, context.origin);
      if (resolved.isErr()) return err({ name: resolved.error.name });
      return ok({ value: bodyOf(resolved.value) });
    },
  }),
];
