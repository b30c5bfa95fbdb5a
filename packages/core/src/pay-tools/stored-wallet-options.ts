import * as z from "zod";
import { lazySchema } from "../shared/input.js";
import type { WalletOptions } from "./wallet-options.js";

/**
 * Schema of stored options. It checks only their types.
 *
 * They were valid for the version that stored them. A member that this version does not know stays,
 * so that a request of the order is repeated unchanged.
 */
export const storedWalletOptions = lazySchema(() => {
  const text = () => z.string().exactOptional();
  const line = z.looseObject({
    merchant_goods_id: z.string(),
    wechatpay_goods_id: text(),
    goods_name: text(),
    quantity: z.number(),
    unit_price: z.number(),
  });
  const store = z.looseObject({ id: z.string(), name: text(), area_code: text(), address: text() });
  return z.looseObject({
    attach: text(),
    goods_tag: text(),
    support_fapiao: z.boolean().exactOptional(),
    limit_pay: z.array(z.string()).exactOptional(),
    settle_info: z.looseObject({ profit_sharing: z.boolean() }).exactOptional(),
    detail: z
      .looseObject({
        cost_price: z.number().exactOptional(),
        invoice_id: text(),
        goods_detail: z.array(line).exactOptional(),
      })
      .exactOptional(),
    scene_info: z.looseObject({ store_info: store }).exactOptional(),
    redirect_url: text(),
    passback_params: text(),
    goods_type: text(),
    enable_pay_channels: text(),
    disable_pay_channels: text(),
    extend_params: z
      .looseObject({ hb_fq_num: text(), hb_fq_seller_percent: text(), sys_service_provider_id: text() })
      .exactOptional(),
    quit_url: text(),
  }) satisfies z.ZodType<WalletOptions>;
});
