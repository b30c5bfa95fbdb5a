import type { OrderKey } from "../api/order-key.js";
import type { Schema } from "../api/routes.js";
import { type Change, useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";
import type { OrderFilters } from "./filters.js";

/** Everything that the page of an order shows. */
export type OrderPage = Schema<"OrderPage">;

/** Returns a page of the list of orders. */
export function useOrders(filters: OrderFilters & { readonly before?: string }, isReadable: boolean) {
  return useRead("/api/orders", { query: filters }, { keepsPrevious: true, isEnabled: isReadable });
}

/** Returns a change of an order that needs only a reason. */
export function useOrderAction(
  { appId, bizNo }: OrderKey,
  action: "sync" | "close" | "report-shipment",
): Change<string, OrderPage> {
  return useChange(`/api/orders/{appId}/{bizNo}/${action}`, { path: { appId, bizNo } }, (reason: string) => ({
    reason,
  }));
}

/** Returns the acknowledgement of the alarms on a page of an order. Later alarms stay open. */
export function useAcknowledgement({
  order: { appId, bizNo },
  timeline,
}: OrderPage): Change<string, OrderPage> {
  const seen = timeline.at(-1)?.seq ?? 0;
  const path = "/api/orders/{appId}/{bizNo}/acknowledge";
  return useChange(path, { path: { appId, bizNo } }, (reason: string) => ({ reason, seen }));
}
