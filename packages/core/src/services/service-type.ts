/** A timed service an app sells, such as "30 days of membership". */
export interface ServiceType {
  readonly appId: string;
  readonly serviceTypeNo: string;
  readonly serviceName: string;
  /** How much time one paid order adds, in milliseconds. */
  readonly durationMs: number;
  readonly gmtCreate: number;
}

/** What a customer has of one service type. Source: payments spec, "Customer service record". */
export interface CustomerService {
  readonly appId: string;
  readonly customerIdentity: string;
  readonly serviceTypeNo: string;
  /** The number the customer's first order of this type gave, or one the service made. */
  readonly serviceNo: string;
  readonly serviceName: string;
  /** Epoch milliseconds. */
  readonly expireTime: number;
  readonly gmtCreate: number;
}
