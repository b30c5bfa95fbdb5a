import type { Order } from "@tillkit/core";

/** The facts of an order that its URLs contain. */
export type UrlFacts = Pick<Order, "payChannel" | "payToolId" | "bizNo">;

/** The two URLs of an order. */
export type OrderUrls = Pick<Order, "notifyUrl" | "returnUrl">;

/** The part that the URLs of all orders of a host have in common, or the URLs of one order. */
export type StoredUrls = { readonly base: string } | OrderUrls;

/**
 * Returns what is stored of the URLs of an order.
 *
 * Returns the common part if the URLs follow from it, and otherwise the URLs. `urlsFrom` reverses
 * this. `urlsFrom` does not call core, so a change of the URLs in core does not change stored
 * orders.
 */
export function storedUrls(order: UrlFacts & OrderUrls): StoredUrls {
  const { notifyUrl, returnUrl } = order;
  const base = notifyUrl.slice(0, Math.max(0, notifyUrl.length - urlsFrom("", order).notifyUrl.length));
  const derived = urlsFrom(base, order);
  const isDerived = base !== "" && derived.notifyUrl === notifyUrl && derived.returnUrl === returnUrl;
  // An order without a pay tool may get one later, and its URLs stay the same.
  return isDerived && order.payToolId !== "" ? { base } : { notifyUrl, returnUrl };
}

/** Returns the URLs of an order that follow from their common part `base`. */
export function urlsFrom(base: string, { payChannel, payToolId, bizNo }: UrlFacts): OrderUrls {
  const orderRef = Buffer.from(bizNo).toString("base64url");
  return {
    notifyUrl: `${base}/notify/${payChannel}/${payToolId}/${orderRef}`,
    returnUrl: `${base}/return/${payChannel}`,
  };
}
