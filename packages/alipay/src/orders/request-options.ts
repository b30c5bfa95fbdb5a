import type { PaymentRequest } from "@tillkit/core/ports";

/**
 * Returns the members of `biz_content` that the options of an order add, in a fixed order.
 *
 * Alipay requires URL-encoded `passback_params` and returns the encoded value in notifications. In
 * the signed text of a notification, `&` and `=` separate the members, so the value must not
 * contain these two characters unencoded.
 */
export function optionMembers({ options = {} }: Pick<PaymentRequest, "options">) {
  const { passback_params: passback, goods_type, extend_params, quit_url } = options;
  const { enable_pay_channels, disable_pay_channels } = options;
  return {
    ...(passback === undefined ? {} : { passback_params: encodeURIComponent(passback) }),
    ...(goods_type === undefined ? {} : { goods_type }),
    ...(enable_pay_channels === undefined ? {} : { enable_pay_channels }),
    ...(disable_pay_channels === undefined ? {} : { disable_pay_channels }),
    ...(extend_params === undefined ? {} : { extend_params }),
    ...(quit_url === undefined ? {} : { quit_url }),
  };
}
