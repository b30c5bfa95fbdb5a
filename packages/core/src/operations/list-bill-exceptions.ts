import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import { BILL_EXCEPTION_STATES, type BillException } from "../bills/bill-exception.js";
import type { StorageFailure } from "../errors/failure.js";
import { pageInput } from "../shared/page-input.js";
import type { Ports } from "../ports.js";
import { complain, perPolicy } from "../shared/input.js";
import type { Page } from "../shared/page.js";

/** Which exceptions of bills to list: those that are OPEN unless told, a page as in GET /history.json. */
export const listBillExceptionsInput = perPolicy((policy) =>
  z
    .object({ state: z.enum(BILL_EXCEPTION_STATES, complain("shape")).default("OPEN"), ...pageInput(policy) })
    .brand<"ListBillExceptionsInput">(),
);
/** A valid question for a page: what `parseInput(listBillExceptionsInput(policy), …)` returns. */
export type ListBillExceptionsInput = z.output<ReturnType<typeof listBillExceptionsInput>>;

/** The exceptions of bills in one state, first found first, and how many there are in all, for an operator. */
export function listBillExceptions(
  ports: Pick<Ports, "billExceptions">,
  { state, pageNum, pageSize }: ListBillExceptionsInput,
): ResultAsync<Page<BillException>, StorageFailure> {
  return ports.billExceptions.list({ state, offset: (pageNum - 1) * pageSize, limit: pageSize });
}
