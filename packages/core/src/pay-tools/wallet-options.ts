/** A line of the goods of an order. WeChat Pay needs it for coupons for single goods. */
export interface WalletGoods {
  /** 1 to 32 letters, digits, `-` and `_`. */
  readonly merchant_goods_id: string;
  /** At most 32 bytes. */
  readonly wechatpay_goods_id?: string;
  /** At most 256 bytes. */
  readonly goods_name?: string;
  /** At least 1. */
  readonly quantity: number;
  /** Cents. */
  readonly unit_price: number;
}

/** The shop in which an order was placed, as WeChat Pay takes it. Lengths are bytes of UTF-8. */
export interface WalletStore {
  /** At most 32 bytes. */
  readonly id: string;
  /** At most 256 bytes. */
  readonly name?: string;
  /** A code of WeChat Pay's list of areas, at most 32 digits. */
  readonly area_code?: string;
  /** At most 512 bytes. */
  readonly address?: string;
}

/**
 * Options of a request to a wallet, under the names that the wallets use.
 *
 * Other options are rejected. An order can have only options of its own wallet. A pay tool can have
 * defaults: an option of an order replaces the default of the same name.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/guide/wallet-options.md |
 *   Options of a wallet request}
 */
export interface WalletOptions {
  /** WeChat Pay: returned with queries and notifications, and in bills. At most 128 bytes. */
  readonly attach?: string;
  /** WeChat Pay: the tag of a discount. At most 32 bytes. */
  readonly goods_tag?: string;
  /** WeChat Pay: whether the customer can ask for an electronic invoice. */
  readonly support_fapiao?: boolean;
  /** WeChat Pay: `no_balance`, `no_credit`, `no_debit` or `balance_only`. */
  readonly limit_pay?: readonly string[];
  /** WeChat Pay: whether the money is held for profit sharing. */
  readonly settle_info?: { readonly profit_sharing: boolean };
  /** WeChat Pay, for an order only: the goods. At most 6,144 bytes of JSON. */
  readonly detail?: {
    /** Cents. */
    readonly cost_price?: number;
    /** At most 32 bytes. */
    readonly invoice_id?: string;
    readonly goods_detail?: readonly WalletGoods[];
  };
  /** WeChat Pay: the shop. Such a request also needs the customer's IP address. */
  readonly scene_info?: { readonly store_info: WalletStore };
  /** WeChat Pay, for H5 only: where the browser goes after the payment. */
  readonly redirect_url?: string;
  /** Alipay: returned with notifications. Sent URL-encoded, then at most 512 characters. */
  readonly passback_params?: string;
  /** Alipay, for APP, H5 and PC: `0` for virtual goods, `1` for physical ones. */
  readonly goods_type?: string;
  /** Alipay: the only channels to pay with, separated by commas. At most 128 characters. */
  readonly enable_pay_channels?: string;
  /** Alipay: channels that are switched off. Not together with `enable_pay_channels`. */
  readonly disable_pay_channels?: string;
  /** Alipay: instalments (花呗分期) and the number of the system vendor. */
  readonly extend_params?: {
    /** `3`, `6` or `12` instalments. */
    readonly hb_fq_num?: string;
    /** The share of the fee that the seller pays: `0` or `100`. */
    readonly hb_fq_seller_percent?: string;
    /** The PID of the vendor: 16 digits that begin with 2088. */
    readonly sys_service_provider_id?: string;
  };
  /** Alipay, for H5 only: where the browser goes if the customer quits. At most 400 characters. */
  readonly quit_url?: string;
}

/** The name of one of the {@link WalletOptions}. */
export type WalletOptionName = keyof WalletOptions;
