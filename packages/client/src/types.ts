import type { components, operations } from "./generated/openapi.js";

type Schemas = components["schemas"];

/** The number of a failure. */
export type FailureCode = Schemas["FailureCode"];
/** An order. Amounts are cents, times are epoch milliseconds. */
export type Order = Schemas["Order"];
/** The status of an order. Only `PAID` confirms a payment. */
export type PaymentStatus = Schemas["PaymentStatus"];
/** A payment channel that the service is set up for. */
export type PayTool = Schemas["PayTool"];
/** The data that opens the payment. Pass it to the wallet unchanged. */
export type PayPayload = Schemas["PayPayload"];
/** A timed service of a customer. */
export type Service = Schemas["Service"];
/**
 * The order to create. `amount` is in cents.
 *
 * The operator of the service can choose other names of channels and stores.
 */
export type CreateOrderInput = Omit<Schemas["CreateOrderRequest"], "payChannel" | "sourceFrom"> & {
  readonly payChannel: Schemas["PayChannel"] | (string & {});
  readonly sourceFrom?: Schemas["SourceFrom"] | (string & {});
};
/** The key of an order. An app without customer accounts may leave out the identity. */
export type GetOrderInput = operations["getOrder"]["parameters"]["query"];
/** The customer and the status of the orders to list. */
export type ListOrdersInput = Omit<
  operations["listOrders"]["parameters"]["query"],
  "pageNum" | "paymentStatus"
> & { readonly paymentStatus?: PaymentStatus };
/** One page of the customer's orders. */
export type ListOrdersPageInput = ListOrdersInput & { readonly pageNum?: number };
/** A page of orders, and the number of orders on all pages. */
export type OrderPage = Schemas["ListOrdersResponse"]["data"];
/** The services of a customer. Compare their times with `serverTime`, the clock of the service. */
export type ServiceList = Schemas["ListServicesResponse"]["data"];
/** The phone number and the code from the SMS. */
export type LogInInput = Schemas["LogInRequest"];
/** The customer and the session token. Treat the token as a password. */
export type LogIn = Schemas["LogInResponse"]["data"];
/** The client of the downloads API and the range of days. */
export type DownloadsInput = operations["getDownloads"]["parameters"]["query"];
/** The counts of a range of days, and the daily allowance. */
export type DownloadsReport = Schemas["DownloadsReport"]["data"];
/** A failure of the downloads API. */
export type DownloadsFailure = Schemas["DownloadsFailure"]["data"];
