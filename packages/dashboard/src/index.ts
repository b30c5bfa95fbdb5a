export {
  type AccountOptions,
  type DashboardOptions,
  dashboardSurface,
  type PageOptions,
  type SignOnOptions,
} from "./dashboard-surface.js";
export { type WalletCallFigures, walletCallFigures, type WalletCallRow } from "./wallet-call-figures.js";
export type { Authorize } from "./access/host-access.js";
export { OPERATOR_API_FAILURES, type OperatorApiFailureName } from "./api/api-failure.js";
