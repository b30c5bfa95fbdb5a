import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addressOf } from "./request.js";

/**
 * Loads the order again whenever the server reports a change.
 *
 * Returns whether the connection is open. The browser reconnects by itself.
 */
export function useOrderChanges({
  appId,
  bizNo,
}: {
  readonly appId: string;
  readonly bizNo: string;
}): boolean {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const path = { appId, bizNo };
    const source = new EventSource(addressOf("/api/orders/{appId}/{bizNo}/events", { path }));
    const reload = () =>
      void client.invalidateQueries({ queryKey: ["/api/orders/{appId}/{bizNo}", { path }] });
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
