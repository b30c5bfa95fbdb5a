import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import { BILL_EXCEPTION_STATES, type BillException } from "../bills/bill-exception.js";
import type { StorageFailure } from "../errors/failure.js";
import { pageInput } from "../shared/page-input.js";
import type { Ports } from "../ports.js";
import { issue, perPolicy } from "../shared/input.js";
import type { Page } from "../shared/page.js";

/** The parameters of {@link listBillExceptions}: a state, OPEN by default, and a page. */
export const listBillExceptionsInput = perPolicy((policy) =>
  z
    .object({ state: z.enum(BILL_EXCEPTION_STATES, issue("shape")).default("OPEN"), ...pageInput(policy) })
    .brand<"ListBillExceptionsInput">(),
);
/** Valid parameters, the output of `parseInput(listBillExceptionsInput(policy), …)`. */
export type ListBillExceptionsInput = z.output<ReturnType<typeof listBillExceptionsInput>>;

/**
 * Lists bill exceptions in one state for an operator, the first found first, and their number.
 *
 * @param apps - selects exceptions whose order belongs to one of the apps. Absent: every exception.
 * @returns the page of exceptions and their total number.
 * @example
 * ```ts
 * import { listBillExceptions, listBillExceptionsInput, parseInput } from "@tillkit/core";
 *
 * const query = parseInput(listBillExceptionsInput(ports.policy), { state: "OPEN" });
 * const page = await query.asyncAndThen((input) => listBillExceptions(ports, input));
 * ```
 */
export function listBillExceptions(
  ports: Pick<Ports, "billExceptions">,
  { state, pageNum, pageSize }: ListBillExceptionsInput,
  apps?: readonly string[],
): ResultAsync<Page<BillException>, StorageFailure> {
  return ports.billExceptions.list({ state, apps, offset: (pageNum - 1) * pageSize, limit: pageSize });
}
