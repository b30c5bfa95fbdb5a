import type { PaymentRequest } from "@tillkit/core/ports";

/**
 * Returns the members of an order that its options add, unchanged and in a fixed order.
 *
 * `scene_info` and `redirect_url` are not among them: the first needs the customer's address, and
 * the second is a part of the address of the payment page.
 */
export function optionMembers({ options = {} }: Pick<PaymentRequest, "options">): object {
  const { attach, goods_tag, support_fapiao, limit_pay, detail, settle_info } = options;
  // `JSON.stringify` omits the members that are `undefined`.
  return { attach, goods_tag, support_fapiao, limit_pay, detail, settle_info };
}

/** Adds the `redirect_url` of the order, if it has one, to the address of a payment page. */
export function withRedirect(page: string, { options = {} }: Pick<PaymentRequest, "options">): string {
  const { redirect_url: target } = options;
  return target === undefined ? page : `${page}&redirect_url=${encodeURIComponent(target)}`;
}
