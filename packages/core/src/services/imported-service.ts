import * as z from "zod";
import { issue, perPolicy, singleLineText, nonBlankText } from "../shared/input.js";
import { LONGEST_DURATION } from "../shared/limits.js";
import { recordedTime } from "../shared/recorded-time.js";
import type { CustomerService } from "./service-type.js";

/** A customer's timed service, as a line of a file contains it. Times are epoch milliseconds. */
export const importedServiceInput = perPolicy((policy) =>
  z
    .object({
      appId: singleLineText(64),
      customerIdentity: nonBlankText(policy.maxCustomerIdentityLength),
      serviceTypeNo: singleLineText(policy.maxServiceNoLength),
      serviceNo: nonBlankText(policy.maxServiceNoLength),
      serviceName: nonBlankText(64),
      expireTime: recordedTime(),
      gmtCreate: recordedTime(),
    })
    .refine(({ expireTime, gmtCreate }) => gmtCreate <= expireTime, {
      path: ["expireTime"],
      ...issue("before-creation"),
    })
    .refine(({ expireTime, gmtCreate }) => expireTime <= gmtCreate + LONGEST_DURATION, {
      path: ["expireTime"],
      ...issue("service-length"),
    }),
);

/** A valid line: the result of `parseInput(importedServiceInput(policy), …)`. */
export type ImportedService = z.output<ReturnType<typeof importedServiceInput>>;

/** The members of a line, in the order of an export. */
const MEMBERS = [
  "appId",
  "customerIdentity",
  "serviceTypeNo",
  "serviceNo",
  "serviceName",
  "expireTime",
  "gmtCreate",
];

/**
 * Returns the line of a service without a line end: JSON with its members in a fixed order.
 *
 * @returns the line.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { serviceLine } from "@tillkit/core/ports";
 *
 * const page = await orThrow(ports.services.listAll({ limit: 500 }));
 * console.log(page.map(serviceLine).join("\n"));
 * ```
 */
export function serviceLine(service: CustomerService): string {
  return JSON.stringify(service, MEMBERS);
}
