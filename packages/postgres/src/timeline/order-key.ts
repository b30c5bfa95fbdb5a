import type { OrderKey } from "@tillkit/core";
import type { SqlValue } from "../sql/sql-client.js";

/** Returns the values of the key columns, in their order. */
export function orderKeyValues({ bizNo, appId }: OrderKey): readonly SqlValue[] {
  return [bizNo, appId];
}

/** Returns the key of an order as one text. */
export function orderKeyText(key: OrderKey): string {
  return JSON.stringify(orderKeyValues(key));
}
