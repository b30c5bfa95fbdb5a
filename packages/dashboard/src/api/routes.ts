import { operatorsRoutes } from "./operators/routes.js";
import type { OperatorRoute } from "./route.js";
import { sessionRoutes } from "./session/routes.js";

/** Every endpoint of the operator API, in the order of its reference. */
export const operatorRoutes: readonly OperatorRoute[] = [...sessionRoutes, ...operatorsRoutes];
