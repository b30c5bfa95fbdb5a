export {
  type AccountOptions,
  type DashboardOptions,
  dashboardSurface,
  type PageOptions,
  type SignOnOptions,
} from "./dashboard-surface.js";
export { type WalletCallFigures, walletCallFigures, type WalletCallRow } from "./wallet-call-figures.js";
export type { Authorize } from "./access/host-access.js";
export { OWN_FAILURES, type OwnFailureName } from "./api/api-failure.js";
