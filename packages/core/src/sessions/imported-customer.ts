import * as z from "zod";
import { issue, perPolicy, singleLineText } from "../shared/input.js";
import { recordedTime } from "../shared/recorded-time.js";
import { CUSTOMER_ID } from "./session-of-token.js";
import type { CustomerRecord } from "./session.js";

/**
 * A customer who logs in by phone, as a line of a file contains it.
 *
 * A line has either `mobileNo`, or `phoneHash` of an export. `gmtCreate` is epoch milliseconds.
 */
export const importedCustomerInput = perPolicy(() =>
  z
    .object({
      appId: singleLineText(64),
      mobileNo: singleLineText(64).optional(),
      phoneHash: z
        .string(issue("text"))
        .regex(/^v[1-9]\d{0,15}:[0-9a-f]{64}$/, issue("phone-hash"))
        .optional(),
      customerId: z.string(issue("text")).regex(CUSTOMER_ID, issue("customer-id")),
      gmtCreate: recordedTime(),
    })
    .refine(({ mobileNo, phoneHash }) => (mobileNo === undefined) !== (phoneHash === undefined), {
      path: ["appId"],
      ...issue("one-phone"),
    }),
);

/** A valid line: the result of `parseInput(importedCustomerInput(policy), …)`. */
export type ImportedCustomer = z.output<ReturnType<typeof importedCustomerInput>>;

/** The members of a line of an export, in their order. */
const MEMBERS = ["appId", "phoneHash", "customerId", "gmtCreate"];

/**
 * Returns the line of a customer without a line end: JSON with its members in a fixed order.
 *
 * A line contains the keyed hash of the phone number. Only a host with the same pepper can use it.
 *
 * @returns the line.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { customerLine } from "@tillkit/core/operators";
 *
 * const page = await orThrow(ports.sessions.listCustomers({ limit: 500 }));
 * console.log(page.map(customerLine).join("\n"));
 * ```
 */
export function customerLine(customer: CustomerRecord): string {
  return JSON.stringify(customer, MEMBERS);
}
