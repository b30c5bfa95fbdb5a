import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Schema, valueOf } from "../api/client.js";
import { MOUNT_PATH } from "../api/mount-path.js";
import type { OrderFilters } from "./filters.js";
import type { Language } from "../language/language.js";

/** Identifies an order. */
export interface OrderKey {
  readonly appId: string;
  readonly bizNo: string;
}

/** Everything that the page of an order shows. */
export type OrderPage = Schema<"OrderPage">;

/** The page of an order. Its sentences are in one language. */
export function orderQuery(key: OrderKey, language: Language) {
  return queryOptions({
    queryKey: ["order", key.appId, key.bizNo, language],
    queryFn: () => valueOf(api.GET("/api/orders/{appId}/{bizNo}", { params: { path: key } })),
    placeholderData: keepPreviousData,
  });
}

/** A page of the list of orders. */
export function ordersQuery(filters: OrderFilters & { readonly before?: string }) {
  return queryOptions({
    queryKey: ["orders", filters],
    queryFn: () => valueOf(api.GET("/api/orders", { params: { query: filters } })),
    placeholderData: keepPreviousData,
  });
}

/** The changes of an order that need only a reason. */
export type OrderAction = "sync" | "close";

/** Returns a change of an order. */
export function useOrderAction(key: OrderKey, action: OrderAction, language: Language) {
  const change = (reason: string) =>
    valueOf(api.POST(`/api/orders/{appId}/{bizNo}/${action}`, { params: { path: key }, body: { reason } }));
  return useOrderChange(key, language, change);
}

/** Returns the acknowledgement of the alarms on a page of an order. Later alarms stay open. */
export function useAcknowledgement({ order: { appId, bizNo }, timeline }: OrderPage, language: Language) {
  const key = { appId, bizNo };
  const seen = timeline.at(-1)?.seq ?? 0;
  const path = "/api/orders/{appId}/{bizNo}/acknowledge";
  const change = (reason: string) =>
    valueOf(api.POST(path, { params: { path: key }, body: { reason, seen } }));
  return useOrderChange(key, language, change);
}

/** Returns a change whose answer replaces the page of the order. */
function useOrderChange(key: OrderKey, language: Language, change: (reason: string) => Promise<OrderPage>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (page) => {
      client.setQueryData(orderQuery(key, language).queryKey, page);
      void client.invalidateQueries({ queryKey: ["orders"] });
    },
  });
}

/**
 * Loads the order again whenever the server reports a change.
 *
 * Returns whether the connection is open. The browser reconnects by itself.
 */
export function useOrderChanges({ appId, bizNo }: OrderKey): boolean {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const path = [appId, bizNo].map(encodeURIComponent).join("/");
    const source = new EventSource(`${MOUNT_PATH}/api/orders/${path}/events`);
    const reload = () => void client.invalidateQueries({ queryKey: ["order", appId, bizNo] });
    let wasInterrupted = false;
    source.addEventListener("open", () => {
      setOpen(true);
      // Changes during the interruption were not reported.
      if (wasInterrupted) reload();
    });
    source.addEventListener("error", () => {
      wasInterrupted = true;
      setOpen(false);
    });
    source.addEventListener("changed", reload);
    return () => source.close();
  }, [client, appId, bizNo]);
  return isOpen;
}
