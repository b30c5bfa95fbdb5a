import type { LogIn, Order, OrderPage, PayPayload, PayTool, ServiceList } from "./types.js";

// These functions check the members on which callers branch. The service may add other members.

/** Returns whether the value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether the value has the members of an order that decide about money. */
export function isOrder(value: unknown): value is Order {
  return (
    isRecord(value) &&
    typeof value["bizNo"] === "string" &&
    typeof value["paymentStatus"] === "string" &&
    Number.isSafeInteger(value["amount"])
  );
}

/** Returns whether the value is a page of orders. */
export function isOrderPage(value: unknown): value is OrderPage {
  return isRecord(value) && isListOf(value["payOrderList"], isOrder) && isCount(value["totalCount"]);
}

/** Returns whether the value can be the data that opens a payment. */
export function isPayPayload(value: unknown): value is PayPayload {
  return isRecord(value) && Object.keys(value).length > 0;
}

/** Returns whether the value is a list of pay tools. */
export function isPayTools(value: unknown): value is PayTool[] {
  return isListOf(value, isPayTool);
}

/** Returns whether the value is a list of services. */
export function isServiceList(value: unknown): value is ServiceList {
  return isRecord(value) && isListOf(value["customerServiceList"], isRecord) && isCount(value["serverTime"]);
}

/** Returns whether the value is a session token with its customer. */
export function isLogIn(value: unknown): value is LogIn {
  return isRecord(value) && typeof value["customerId"] === "string" && typeof value["token"] === "string";
}

/** Returns whether the value is a boolean. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** Returns whether the value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isPayTool(value: unknown): value is PayTool {
  return isRecord(value) && typeof value["payChannel"] === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(isOne);
}
