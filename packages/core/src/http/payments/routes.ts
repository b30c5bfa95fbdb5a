import * as z from "zod";
import { createOrderForApp } from "../../orders/create-order.js";
import { getOrder, getOrderInput } from "../../orders/get-order.js";
import { listOrders, listOrdersInput } from "../../orders/list-orders.js";
import { createOrderInput } from "../../orders/order.js";
import { listPayTools } from "../../pay-tools/list-pay-tools.js";
import { listServices, listServicesInput } from "../../services/list-services.js";
import { checkToken, checkTokenInput } from "../../sessions/check-token.js";
import { logIn, logInInput } from "../../sessions/log-in.js";
import { sendCode, sendCodeInput } from "../../sessions/send-code.js";
import { perPolicy } from "../../shared/input.js";
import { historyJson, orderJson, payToolsJson, serviceListJson } from "./records.js";
import { route } from "./route.js";

const noInput = perPolicy(() => z.object({}));

/** The payments and sessions endpoints, in the order of the spec's table. */
export const paymentsRoutes = [
  route({
    method: "GET",
    path: "/payTools.json",
    from: "query",
    input: noInput,
    run: (ports, { appId }) => listPayTools(ports, appId),
    data: payToolsJson,
  }),
  route({
    method: "POST",
    path: "/order.json",
    from: "body",
    input: createOrderInput,
    run: createOrderForApp,
    data: ({ payload }) => JSON.stringify(payload),
    extra: ({ order }, traceId) =>
      order.payChannel === "WALLET_B" ? { message: "success", traceId } : { traceId },
  }),
  route({
    method: "GET",
    path: "/detail.json",
    from: "query",
    input: getOrderInput,
    run: (ports, { appId }, input) => getOrder(ports, appId, input),
    data: orderJson,
  }),
  route({
    method: "GET",
    path: "/history.json",
    from: "query",
    input: listOrdersInput,
    run: (ports, { appId }, input) => listOrders(ports, appId, input),
    data: historyJson,
  }),
  route({
    method: "GET",
    path: "/customerServiceMgmt/{customerIdentity}.json",
    from: "path",
    input: listServicesInput,
    run: (ports, { appId }, input) => listServices(ports, appId, input),
    data: serviceListJson,
  }),
  route({
    method: "GET",
    path: "/sms.json",
    from: "query",
    input: sendCodeInput,
    run: (ports, { appId }, input) => sendCode(ports, appId, input),
    data: () => '"ok"',
  }),
  route({
    method: "POST",
    path: "/auth.json",
    from: "anywhere",
    input: logInInput,
    run: (ports, { appId }, input) => logIn(ports, appId, input),
    data: ({ customerId, token }) => JSON.stringify({ customerId, token }),
  }),
  route({
    method: "GET",
    path: "/checkAuth.json",
    from: "query",
    input: checkTokenInput,
    run: (ports, { appId }, input) => checkToken(ports, appId, input),
    data: String,
  }),
] as const;
