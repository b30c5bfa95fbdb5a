import {
  type BillOutcome,
  BILL_EXCEPTION_KINDS,
  PAY_CHANNELS,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
} from "@tillkit/core";
import {
  LONGEST_KEY,
  adoptBillException,
  assignBillException,
  assignBillExceptionInput,
  billExceptionFilterShape,
  type CloseBillExceptionFailure,
  disownBillException,
  exceptionRemedies,
  listBillDays,
  listBillDaysInput,
  listBillExceptions,
  listBillExceptionsInput,
  resolveBillException,
  resolveBillExceptionInput,
  type ResolveBillExceptionInput,
} from "@tillkit/core/operators";
import { BILL_EXCEPTION_STATES, type BillException, CLOSING_REMEDIES } from "@tillkit/core/ports";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { type ApiFailure, messageOf } from "../api-failure.js";
import { operatorName } from "../command-of.js";
import { countSchema } from "../count-schema.js";
import { cursorInput, cursorText } from "../cursor.js";
import { listExport } from "../list-export.js";
import { pageLimit } from "../query-input.js";
import { operatorChange, operatorRoute, operatorStream } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { shownText } from "../reason-input.js";
import { singleLineText } from "../single-line-text.js";
import { cents, time } from "../unit-schemas.js";
import { requireEveryApp, sees, visibleApps } from "../visible-apps.js";
import { remediesSchema } from "../remedies-schema.js";
import { exceptionsCsv } from "./exceptions-csv.js";

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
    remedy: z.enum(CLOSING_REMEDIES).optional().describe("How the operator closed it."),
    remedies: remediesSchema,
    gmtCreate: time(),
    gmtModified: time(),
  })
  .meta({ id: "BillException" });

function bodyOf(
  { ports }: Pick<RouteContext, "ports">,
  { appEnv: _env, asOf: _asOf, ...exception }: BillException,
): z.output<typeof exceptionSchema> {
  return { ...exception, remedies: exceptionRemedies(exception, ports.clock.now()) };
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

/**
 * Returns the schema of a bill for {@link compareDay}. Its members are in the path of the request.
 */
function billInput() {
  return z.object({
    day: singleLineText(10),
    payChannel: z.enum(PAY_CHANNELS),
    appEnv: z.enum(["DEV", "PROD"]),
    accountId: singleLineText(64),
  });
}
type BillInput = z.output<ReturnType<typeof billInput>>;

/** Finds the day of an account. Finds nothing unless the sender sees all apps of the account. */
async function findDay(context: RouteContext, { day, ...merchant }: BillInput) {
  const range = parseInput(listBillDaysInput(), { from: day, until: day });
  if (range.isErr()) return err(range.error);
  const listed = await listBillDays(context.ports, range.value, (appId) => sees(context, appId));
  if (listed.isErr()) return err(listed.error);
  const found = listed.value.find(
    ({ payChannel, appEnv, accountId }) =>
      payChannel === merchant.payChannel && appEnv === merchant.appEnv && accountId === merchant.accountId,
  );
  return found === undefined ? err({ name: "bill-day.not-found" } as const) : ok({ value: found });
}

/** Compares a bill, and answers with the state of its day after the comparison. */
async function compareDay(context: RouteContext, bill: BillInput) {
  const found = await findDay(context, bill);
  if (found.isErr()) return found;
  const input = parseInput(reconcileBillsInput(), bill);
  if (input.isErr()) return err(input.error);
  const compared = await reconcileBills(context.ports, input.value);
  if (compared.isErr()) return err(compared.error);
  const [outcome] = compared.value;
  // Nothing is compared without working credentials, unless the account took money.
  if (outcome === undefined) return err({ name: "bill-day.refused" } as const);
  return outcome.kind === "compared" ? findDay(context, bill) : err(whyNotCompared(outcome.failure));
}

function whyNotCompared(failure: Extract<BillOutcome, { kind: "not-compared" }>["failure"]): ApiFailure {
  if (failure.name === "pay-tool.not-configured") return failure;
  if (failure.name === "wallet.unknown") return { name: "bill-day.unknown" };
  if (failure.reason === "not-ready") return { name: "bill-day.not-ready" };
  return { name: failure.reason === "no-bill" ? "bill-day.without-bill" : "bill-day.refused" };
}

/** The largest number of exceptions that one request resolves. */
const MAX_RESOLVED = 100;

const resolvedSchema = z
  .strictObject({
    resolved: z.array(exceptionSchema).readonly(),
    refused: z
      .array(z.strictObject({ id: z.string(), failure: z.string(), message: z.string() }))
      .readonly()
      .describe(
        "The exceptions that could not be resolved, for example because another operator has resolved them.",
      ),
  })
  .meta({ id: "ResolvedBillExceptions" });

/** Returns the member `note` of a resolution: 1 to 200 characters. */
function noteInput() {
  return { note: shownText() };
}

/** Why an exception was not closed or adopted. */
type ClosingFailure = CloseBillExceptionFailure | ApiFailure;

/** Returns the failure without the exception, which the page loads again. */
function apiFailure(failure: ClosingFailure): ApiFailure {
  return "exception" in failure ? { name: failure.name } : failure;
}

/** The common parts of all changes of one exception. They need an operator who sees every app. */
const CHANGE = {
  method: "POST",
  subject: ({ id = "" }: Readonly<Record<string, string>>) => `bill-exception:${id}`,
  response: () => exceptionSchema,
  require: requireEveryApp,
} as const;

async function repeatChange(context: RouteContext, { id }: { readonly id: string }) {
  const found = await context.ports.billExceptions.find(id);
  if (found.isErr()) return err(found.error);
  return found.value === undefined
    ? err({ name: "bill-exception.not-found" } as const)
    : ok({ value: bodyOf(context, found.value) });
}

async function answerChange(
  context: RouteContext,
  changed: ResultAsync<BillException, ClosingFailure>,
): Promise<Result<{ readonly value: z.output<typeof exceptionSchema> }, ApiFailure>> {
  return (await changed).mapErr(apiFailure).map((exception) => ({ value: bodyOf(context, exception) }));
}

/** A change of one exception that needs only a note. */
function exceptionChange(
  name: "resolve" | "adopt" | "not-ours",
  change: (
    context: RouteContext,
    input: ResolveBillExceptionInput,
  ) => ResultAsync<BillException, ClosingFailure>,
) {
  const action = `bill-exception.${name}` as const;
  return operatorChange({
    ...CHANGE,
    path: `/api/bill-exceptions/{id}/${name}`,
    allowed: action,
    action,
    input: () => z.object({ id: singleLineText(64), ...noteInput() }),
    repeat: repeatChange,
    run: (context, asked) =>
      answerChange(
        context,
        withNote(context, asked).asyncAndThen((input) => change(context, input)),
      ),
  });
}

/** Returns the valid input of a change of one exception. */
function withNote(context: RouteContext, { id, note }: { readonly id: string; readonly note: string }) {
  return parseInput(resolveBillExceptionInput(), { id, note, operator: operatorName(context) });
}

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
          .describe("Newest first. An account is absent if one of its apps is not visible to the operator."),
      }),
    run: async (context, range) => {
      const listed = await listBillDays(context.ports, range, (appId) => sees(context, appId));
      return listed.map((items) => ({ value: { items } }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare",
    allowed: "bill-day.compare",
    action: "bill-day.compare",
    subject: ({ day = "", payChannel = "", appEnv = "", accountId = "" }) =>
      ["bill-day:", day, payChannel, appEnv, accountId].join(" "),
    lease: ({ billDeadline }) => billDeadline,
    input: billInput,
    response: () => daySchema,
    repeat: findDay,
    run: compareDay,
  }),
  operatorRoute({
    method: "GET",
    path: "/api/bill-exceptions",
    allowed: "read",
    input: () =>
      z.object({
        ...billExceptionFilterShape(),
        before: cursorInput(z.object({ gmtCreate: z.int(), id: singleLineText(64) })).optional(),
        limit: pageLimit(),
      }),
    response: () =>
      z.strictObject({
        items: z.array(exceptionSchema).readonly().describe("The last found first."),
        older: z.string().optional().describe("The value of `before` for the next page. Absent at the end."),
        searchedUntil: time()
          .optional()
          .describe("When the oldest exception that was examined was found. Present with `older`."),
        total: countSchema.describe("Of the apps that the operator sees, on all pages."),
      }),
    run: async (context, asked) => {
      const parsed = parseInput(listBillExceptionsInput(), asked);
      if (parsed.isErr()) return err(parsed.error);
      // Bills belong to merchants, whose orders may be of several apps. An operator of some apps
      // sees only the exceptions of orders of the same apps.
      const listed = await listBillExceptions(context.ports, parsed.value, visibleApps(context));
      return listed.map(({ items, next, total }) => ({
        value: {
          items: items.map((exception) => bodyOf(context, exception)),
          ...(next === undefined ? {} : { older: cursorText(next), searchedUntil: next.gmtCreate }),
          total,
        },
      }));
    },
  }),
  operatorStream({
    path: "/api/bill-exceptions.csv",
    allowed: "bill-exceptions.export",
    input: () => z.object(billExceptionFilterShape()),
    run: async (context, filter, request) => {
      const apps = visibleApps(context);
      return listExport(context, request, {
        action: "bill-exceptions.export",
        subject: "bill-exceptions",
        apps,
        filter,
        fileName: "bill-exceptions.csv",
        lines: exceptionsCsv(context.ports, { ...filter, apps }),
      });
    },
  }),
  exceptionChange("resolve", ({ ports, origin }, input) => resolveBillException(ports, input, origin)),
  exceptionChange("not-ours", ({ ports, origin }, input) => disownBillException(ports, input, origin)),
  exceptionChange("adopt", ({ ports }, input) => adoptBillException(ports, input)),
  operatorChange({
    ...CHANGE,
    path: "/api/bill-exceptions/{id}/assign",
    allowed: "bill-exception.assign",
    action: "bill-exception.assign",
    input: () =>
      z.object({
        id: singleLineText(64),
        appId: singleLineText(64),
        bizNo: singleLineText(LONGEST_KEY),
        ...noteInput(),
      }),
    repeat: repeatChange,
    run: (context, asked) => {
      const { ports, origin } = context;
      const by = { ...asked, operator: operatorName(context) };
      const parsed = parseInput(assignBillExceptionInput(ports.policy), by);
      return answerChange(
        context,
        parsed.asyncAndThen((input) => assignBillException(ports, input, origin)),
      );
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/bill-exceptions/resolve",
    allowed: "bill-exception.resolve",
    action: "bill-exception.resolve",
    subject: () => "bill-exceptions",
    input: () => z.object({ ids: z.array(singleLineText(64)).min(1).max(MAX_RESOLVED), ...noteInput() }),
    response: () => resolvedSchema,
    require: requireEveryApp,
    repeat: resolveAll,
    run: resolveAll,
  }),
];

/**
 * Resolves several exceptions, one after the other.
 *
 * Each of them is a separate step, with its own entry in the audit log beside the entry of the
 * whole change.
 *
 * A repetition resolves the exceptions that are still open, and reports the same result.
 */
async function resolveAll(
  context: RouteContext,
  { ids, note }: { readonly ids: readonly string[]; readonly note: string },
) {
  const { change: _whole, ...origin } = context.origin;
  const resolved = [];
  const refused = [];
  for (const id of new Set(ids)) {
    const resolving = withNote(context, { id, note }).asyncAndThen((input) =>
      resolveBillException(context.ports, input, origin),
    );
    const one = (await resolving).mapErr(apiFailure);
    const exception = one.isOk() ? one.value : await resolvedBefore(context, id, note);
    if (exception !== undefined) resolved.push(bodyOf(context, exception));
    else if (one.isErr())
      refused.push({
        id,
        failure: one.error.name,
        message: messageOf(one.error, context.language, context.ports.policy),
      });
  }
  return ok({ value: { resolved, refused } });
}

/** Returns the exception if the sender has resolved it with this note. */
async function resolvedBefore(context: RouteContext, id: string, note: string) {
  const found = await context.ports.billExceptions.find(id).unwrapOr(undefined);
  const isSame = found?.operator === operatorName(context) && found.note === note;
  return isSame && found.state === "RESOLVED" ? found : undefined;
}
