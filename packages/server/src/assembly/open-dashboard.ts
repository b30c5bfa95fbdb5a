import type { Ports } from "@tillkit/core";
import { type ClientSignal, type Surface, withShutdown } from "@tillkit/core/http";
import { dashboardSurface, type WalletCallFigures } from "@tillkit/dashboard";
import { scryptHasher } from "@tillkit/runtime";
import { DASHBOARD } from "../http/admin-app.js";
import type { Config } from "../config.js";

/**
 * Creates the operators' page with its API. Returns `undefined` if it is off.
 *
 * Create the first account with `tillkit operators create`. For a single sign-on, replace
 * `accounts` by `authorize`.
 *
 * @param stopping - aborts when the host stops, which ends the event streams of open pages.
 */
export function openDashboard(
  ports: Ports,
  dashboard: Config["dashboard"],
  walletCalls: WalletCallFigures,
  stopping: ClientSignal,
): Surface | undefined {
  if (dashboard === undefined) return undefined;
  const accounts = { passwords: scryptHasher(), mountPath: DASHBOARD, secure: dashboard.secure };
  const surface = dashboardSurface(ports, { accounts, walletCalls });
  return withShutdown(surface, stopping);
}
