import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../session/session-context.js";
import { orderFeedOf } from "./order-feed.js";
import type { OrderKey } from "./order-key.js";
import type { Answer } from "./routes.js";
import { useRead } from "./use-read.js";

const PATH = "/api/orders/{appId}/{bizNo}";
/** How often the order is loaded while changes are not reported, in milliseconds. */
const INTERVAL = 10_000;

/**
 * Reads the page of an order, and again whenever the order changes.
 *
 * One tab of the browser has a stream of changes for all tabs. Without a stream, for example behind
 * a proxy that buffers its events, the tab loads the order at intervals.
 */
export function useLiveOrder({ appId, bizNo }: OrderKey): UseQueryResult<Answer<typeof PATH, "get">> {
  const client = useQueryClient();
  const operator = useSession().operator?.name ?? "";
  const [isCovered, setCovered] = useState(false);
  const query = useRead(PATH, { path: { appId, bizNo } }, isCovered ? {} : { interval: INTERVAL });
  const isFound = query.data !== undefined && !query.isPlaceholderData;
  useEffect(() => {
    // The server refuses a whole stream if one of its orders does not exist. The other orders would
    // then get no changes.
    if (!isFound) return undefined;
    const onChange = () => void client.invalidateQueries({ queryKey: [PATH, { path: { appId, bizNo } }] });
    return orderFeedOf(operator).watch({ appId, bizNo }, { onChange, onCover: setCovered });
  }, [client, operator, appId, bizNo, isFound]);
  return query;
}
