import type { StorageFailure } from "@tillkit/core/errors";
import { searchedTexts } from "@tillkit/core/operators";
import type { FoundOrder } from "@tillkit/core/ports";
import { ResultAsync } from "neverthrow";
import { type ListedRefund, withChannels } from "../refunds/with-channels.js";
import type { RouteContext } from "../route-context.js";
import { visibleApps } from "../visible-apps.js";

/** The orders and refunds that a search finds. */
interface Found {
  readonly orders: readonly FoundOrder[];
  readonly refunds: readonly ListedRefund[];
  /** Whether more orders or refunds match. */
  readonly more: boolean;
}

/**
 * Finds orders and refunds by one of their numbers, or by the customer, newest first.
 *
 * Searches for the text itself and for the number in it.
 */
export function lookUpNumber(
  context: RouteContext,
  text: string,
  limit: number,
): ResultAsync<Found, StorageFailure> {
  const { orderSearch, refunds } = context.ports;
  const apps = visibleApps(context);
  const numbers = searchedTexts(text);
  const orders = numbers.map((number) => orderSearch.lookUp(number, apps, limit + 1));
  const found = numbers.map((number) => refunds.search({ number, apps, limit: limit + 1 }));
  return ResultAsync.combine(orders).andThen((listsOfOrders) =>
    ResultAsync.combine(found).andThen((pages) => {
      const all = distinct(listsOfOrders.flat(), ({ order }) => [order.appId, order.bizNo]);
      const shown = new Set(all.map(({ order }) => JSON.stringify([order.appId, order.bizNo])));
      const others = distinct(
        pages.flatMap(({ items }) => items),
        ({ appId, bizNo, refundNo }) => [appId, bizNo, refundNo],
      ).filter(({ appId, bizNo }) => !shown.has(JSON.stringify([appId, bizNo])));
      return withChannels(context.ports, others.slice(0, limit)).map((listed) => ({
        orders: all.slice(0, limit),
        refunds: listed,
        more: all.length > limit || others.length > limit,
      }));
    }),
  );
}

/** Returns the items without repetitions. */
function distinct<T>(items: readonly T[], keyOf: (item: T) => readonly string[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(keyOf(item)), item])).values()];
}
