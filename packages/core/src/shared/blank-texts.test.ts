import { expect, it } from "vitest";
import type * as z from "zod";
import { closeOrderInput } from "../operations/close-order.js";
import { resolveBillExceptionInput } from "../operations/close-bill-exception.js";
import { createOrderInput } from "../orders/create-order-input.js";
import { importedOrderInput } from "../orders/imported-order.js";
import { defaultPolicy } from "../policy.js";
import { requestRefundInput } from "../refund-approvals/request-refund.js";
import { refundOrderInput } from "../refunds/refund-order.js";
import { settleRefundInput } from "../refunds/settle-refund.js";
import { importedServiceInput } from "../services/imported-service.js";
import { listServicesInput } from "../services/list-services.js";
import { parseInput } from "./input.js";
import { orThrow } from "../errors/or-throw.js";

const BLANK = "\u3000\u200b\u3164";

/** Returns the member that a schema refuses because it is blank. */
function blankMemberOf(schema: z.ZodType, member: string): string | undefined {
  const issues = schema.safeParse({ [member]: BLANK }).error?.issues ?? [];
  return issues.find(({ message }) => message === "blank")?.path.join(".");
}

it.each([
  ["an order", createOrderInput(defaultPolicy), ["customerIdentity", "goodsTitle", "serviceNo"]],
  ["an imported order", importedOrderInput(defaultPolicy), ["customerIdentity", "goodsTitle"]],
  ["an imported service", importedServiceInput(defaultPolicy), ["customerIdentity", "serviceName"]],
  ["a refund", refundOrderInput(defaultPolicy), ["reason", "operator"]],
  ["a request of a refund", requestRefundInput(defaultPolicy), ["reason"]],
  ["a settled refund", settleRefundInput(defaultPolicy), ["reason", "operator"]],
  ["a closed order", closeOrderInput(defaultPolicy), ["reason", "operator"]],
  ["a resolved exception", resolveBillExceptionInput(), ["operator", "note"]],
])("%s cannot have a blank text", (_, schema, members) => {
  for (const member of members) expect(blankMemberOf(schema, member), member).toBe(member);
});

it("accepts a blank identity in a query, because it may be stored", () => {
  const read = parseInput(listServicesInput(defaultPolicy), { customerIdentity: BLANK });
  expect(orThrow(read)).toEqual({ customerIdentity: BLANK });
});
