import { expect, it } from "vitest";
import {
  adoptRefundInput,
  closeOrderInput,
  findOrdersInput,
  withdrawRefundInput,
} from "../entries/operators.js";
import {
  getOrderInput,
  listOrdersInput,
  listServicesInput,
  parseInput,
  policyWith,
  settleRefundInput,
} from "../index.js";

/** A policy whose limits were lowered after orders were stored. */
const policy = policyWith({ maxBizNoLength: 8, maxCustomerIdentityLength: 8 });
const bizNo = "b".repeat(255);
const customerIdentity = "c".repeat(255);
const by = { operator: "han", reason: "test", note: "test" };

it.each([
  ["getOrder", getOrderInput(policy), { bizNo, customerIdentity }],
  ["listOrders", listOrdersInput(policy), { customerIdentity, pageNum: 1 }],
  ["listServices", listServicesInput(policy), { customerIdentity }],
  ["findOrders", findOrdersInput(policy), { by: "bizNo", appId: "app_1", bizNo }],
  ["closeOrder", closeOrderInput(policy), { bizNo, ...by }],
  ["settleRefund", settleRefundInput(policy), { bizNo, refundNo: "r-1", ...by, how: "cash" }],
  ["adoptRefund", adoptRefundInput(policy), { bizNo, walletRefundNo: "5030", ...by }],
  ["withdrawRefund", withdrawRefundInput(policy), { bizNo, refundNo: "r-1", ...by }],
])("%s accepts keys that were stored before the limits were lowered", (_, schema, input) => {
  const parsed = parseInput(schema, input);
  expect(parsed.isErr() ? parsed.error : "taken").toBe("taken");
});
