import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { BILL_EXCEPTION_KINDS } from "../orders/bill-exception-kind.js";
import { BILL_EXCEPTION_STATES } from "../bills/bill-exception.js";
import type { BillExceptionsPage } from "../bills/bill-exception-store.js";
import type { StorageFailure } from "../errors/failure.js";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { isDate } from "../shared/date.js";
import { issue, lazySchema, singleLineText } from "../shared/input.js";

/** The number at which counting stops. */
const MAX_COUNT = 10_000;

/**
 * Returns the parameters of a filter of bill exceptions, for lists and exports.
 *
 * @returns the members of a zod object.
 * @example
 * ```ts
 * import { billExceptionFilterShape } from "@tillkit/core/operators";
 * import * as z from "zod";
 *
 * const filter = z.object(billExceptionFilterShape()).parse({ state: "OPEN", day: "2026-01-31" });
 * ```
 */
export function billExceptionFilterShape() {
  return {
    state: z.enum(BILL_EXCEPTION_STATES, issue("shape")).default("OPEN"),
    day: z.string().refine(isDate, issue("date")).optional(),
    payChannel: z.enum(PAY_CHANNELS, issue("pay-channel.invalid")).optional(),
    kind: z.enum(BILL_EXCEPTION_KINDS, issue("shape")).optional(),
    accountId: singleLineText(64).optional(),
    outTradeNo: singleLineText(64).optional(),
  };
}

/** The parameters of {@link listBillExceptions}: a filter (OPEN by default) and a page. */
export const listBillExceptionsInput = lazySchema(() =>
  z
    .object({
      ...billExceptionFilterShape(),
      before: z.object({ gmtCreate: z.int(), id: singleLineText(64) }).optional(),
      limit: z.int().min(1).max(1_000).default(20),
    })
    .brand<"ListBillExceptionsInput">(),
);
/** Valid parameters, the output of `parseInput(listBillExceptionsInput(), …)`. */
export type ListBillExceptionsInput = z.output<ReturnType<typeof listBillExceptionsInput>>;

/** A page of bill exceptions, and how many the filter selects. */
export interface ListedBillExceptions extends BillExceptionsPage {
  readonly total: {
    readonly count: number;
    /** Whether there may be more than `count`. */
    readonly isLeast: boolean;
  };
}

/**
 * Lists bill exceptions for an operator, the latest first, and counts them.
 *
 * @param apps - selects exceptions whose order belongs to one of the apps. Absent: every exception.
 * @returns the page of exceptions, and how many there are on all pages.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { listBillExceptions, listBillExceptionsInput } from "@tillkit/core/operators";
 *
 * const query = parseInput(listBillExceptionsInput(), { state: "OPEN", day: "2026-01-31" });
 * const page = await query.asyncAndThen((input) => listBillExceptions(ports, input));
 * ```
 */
export function listBillExceptions(
  { billExceptions }: Pick<Ports, "billExceptions">,
  { before, limit, ...filter }: ListBillExceptionsInput,
  apps?: readonly string[],
): ResultAsync<ListedBillExceptions, StorageFailure> {
  return attempt(async () => {
    const page = await billExceptions.list({ ...filter, apps, before, limit });
    if (page.isErr()) return page;
    const total = await billExceptions.count({ ...filter, apps }, MAX_COUNT);
    return total.isErr() ? total : ok({ ...page.value, total: total.value });
  });
}
