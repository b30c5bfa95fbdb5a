import { auditRoutes } from "./audit/routes.js";
import { changesRoutes } from "./changes/routes.js";
import { billsRoutes } from "./bills/routes.js";
import { customersRoutes } from "./customers/routes.js";
import { downloadsRoutes } from "./downloads/routes.js";
import { eventsRoutes } from "./events/routes.js";
import { operatorsRoutes } from "./operators/routes.js";
import { orderListRoutes } from "./orders/list-routes.js";
import { ordersRoutes } from "./orders/routes.js";
import { refundApprovalsRoutes } from "./refunds/approvals-routes.js";
import { refundListRoutes } from "./refunds/list-routes.js";
import { refundsRoutes } from "./refunds/routes.js";
import type { OperatorRoute } from "./route.js";
import { reportsRoutes } from "./reports/routes.js";
import { todayRoutes } from "./today/routes.js";
import { setupRoutes } from "./setup/routes.js";
import { sessionRoutes } from "./session/routes.js";

/** Every endpoint of the operator API, in the order of its reference. */
export const operatorRoutes: readonly OperatorRoute[] = [
  ...sessionRoutes,
  ...changesRoutes,
  ...todayRoutes,
  ...orderListRoutes,
  ...ordersRoutes,
  ...eventsRoutes,
  ...customersRoutes,
  ...refundListRoutes,
  ...refundsRoutes,
  ...refundApprovalsRoutes,
  ...billsRoutes,
  ...reportsRoutes,
  ...downloadsRoutes,
  ...setupRoutes,
  ...operatorsRoutes,
  ...auditRoutes,
];
