export { TillkitClient, type OrdersApi, type SessionsApi } from "./tillkit-client.js";
export {
  TillkitAbortError,
  TillkitApiError,
  TillkitConnectionError,
  TillkitDownloadsError,
  TillkitError,
  TillkitResponseError,
  TillkitTimeoutError,
} from "./errors.js";
export type { FailureName } from "./generated/failures.js";
export type {
  CallOptions,
  ClientHooks,
  CreateOrderOptions,
  RequestInfo,
  TillkitClientOptions,
} from "./options.js";
export type {
  CreateOrderInput,
  DownloadsFailure,
  DownloadsInput,
  DownloadsReport,
  FailureCode,
  GetOrderInput,
  ListOrdersInput,
  ListOrdersPageInput,
  LogIn,
  LogInInput,
  Order,
  OrderPage,
  PaymentStatus,
  PayPayload,
  PayTool,
  Service,
  ServiceList,
} from "./types.js";
