import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { MOUNT_PATH } from "../api/mount-path.js";
import { customerRoute } from "../customers/customer-route.js";
import { orderRoute } from "../orders/order-route.js";
import { ordersRoute } from "../orders/orders-route.js";
import { searchRoute } from "../search/search-route.js";
import { accountRoute } from "../session/account-route.js";
import { auditRoute } from "../audit/audit-route.js";
import { billsRoute } from "../bills/bills-route.js";
import { downloadsRoute } from "../downloads/downloads-route.js";
import { reportsRoute } from "../reports/reports-route.js";
import { refundsRoute } from "../refunds/refunds-route.js";
import { setupRoute } from "../setup/setup-route.js";
import { todayRoute } from "../today/today-route.js";
import { rootRoute } from "./root-route.js";
import { parseSearch, stringifySearch } from "./search-params.js";

/** The first view: the day. */
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => redirect({ to: "/today", replace: true, throw: true }),
});

const routeTree = rootRoute.addChildren([
  startRoute,
  todayRoute,
  searchRoute,
  ordersRoute,
  orderRoute,
  customerRoute,
  refundsRoute,
  billsRoute,
  reportsRoute,
  downloadsRoute,
  setupRoute,
  auditRoute,
  accountRoute,
]);

/** Creates the router of the page. */
export function createPageRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    basepath: MOUNT_PATH === "" ? "/" : MOUNT_PATH,
    scrollRestoration: true,
    // A view of another order or customer begins without the dialogs and texts of the one before.
    defaultRemountDeps: ({ params }) => params,
    parseSearch,
    stringifySearch,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
