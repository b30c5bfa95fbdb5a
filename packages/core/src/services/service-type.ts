/** A timed service that an app sells, such as "30 days of membership". */
export interface ServiceType {
  readonly appId: string;
  readonly serviceTypeNo: string;
  readonly serviceName: string;
  /** Milliseconds that one paid order adds. */
  readonly durationMs: number;
  readonly gmtCreate: number;
  /**
   * Epoch milliseconds since which no new order may name the type. Absent while it is sold.
   *
   * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/services.md |
   *   Timed services}
   */
  readonly retiredAt?: number;
}

/** A customer's time of one service type. */
export interface CustomerService {
  readonly appId: string;
  readonly customerIdentity: string;
  readonly serviceTypeNo: string;
  /**
   * The number that the customer's first order of this type sent, or a generated one (`svc_…`).
   *
   * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/services.md |
   *   Timed services}
   */
  readonly serviceNo: string;
  readonly serviceName: string;
  /** Epoch milliseconds. */
  readonly expireTime: number;
  readonly gmtCreate: number;
}
