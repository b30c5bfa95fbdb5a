import * as z from "zod";
import { createOrderForApp } from "../../orders/create-order.js";
import { getOrderForApp, getOrderQuery } from "../../orders/get-order.js";
import { listOrders, listOrdersInput } from "../../orders/list-orders.js";
import { listPayTools } from "../../pay-tools/list-pay-tools.js";
import { listServices, listServicesInput } from "../../services/list-services.js";
import { checkToken, checkTokenInput } from "../../sessions/check-token.js";
import { logIn, logInInput } from "../../sessions/log-in.js";
import { sendCode, sendCodeInput } from "../../sessions/send-code.js";
import { perPolicy } from "../../shared/input.js";
import { typedJson } from "../replies.js";
import { createOrderRequest } from "./pay-channel-names.js";
import { historyJson, orderJson, payToolsJson, serviceListJson } from "./response-json.js";
import {
  checkTokenResponse,
  createOrderResponse,
  getOrderResponse,
  listOrdersResponse,
  listServicesResponse,
  logInResponse,
  payToolsResponse,
  sendCodeResponse,
} from "./response-schemas.js";
import { route } from "./route.js";
import { walletBMessage } from "./wallet-b-message.js";
import { wantedLanguage } from "./wanted-language.js";

const noInput = perPolicy(() => z.object({}));

/** The payments and sessions endpoints, in the order of the API reference. */
export const paymentsRoutes = [
  route({
    method: "GET",
    path: "/payTools.json",
    from: "query",
    input: noInput,
    response: payToolsResponse,
    run: (ports, { appId }) => listPayTools(ports, appId),
    data: payToolsJson,
  }),
  route({
    method: "POST",
    path: "/order.json",
    from: "body",
    input: createOrderRequest,
    response: createOrderResponse,
    run: createOrderForApp,
    data: ({ payload }) => typedJson(payload),
    extra: ({ order }, traceId) => ({ ...walletBMessage(order), traceId }),
  }),
  route({
    method: "GET",
    path: "/detail.json",
    from: "query",
    input: getOrderQuery,
    response: getOrderResponse,
    run: getOrderForApp,
    data: orderJson,
  }),
  route({
    method: "GET",
    path: "/history.json",
    from: "query",
    input: listOrdersInput,
    response: listOrdersResponse,
    run: (ports, { appId }, input) => listOrders(ports, appId, input),
    data: historyJson,
    // The answer has the orders of one customer. It has no secret and no text of this request.
    isNegotiable: true,
  }),
  route({
    method: "GET",
    path: "/customerServiceMgmt/{customerIdentity}.json",
    from: "path",
    input: listServicesInput,
    response: listServicesResponse,
    run: (ports, { appId }, input) => listServices(ports, appId, input),
    data: serviceListJson,
  }),
  route({
    method: "GET",
    path: "/sms.json",
    from: "query",
    input: sendCodeInput,
    response: sendCodeResponse,
    run: (ports, { appId }, input, headers) =>
      sendCode(ports, appId, input, { language: wantedLanguage(headers) }),
    data: () => typedJson<"ok">("ok"),
  }),
  route({
    method: "POST",
    path: "/auth.json",
    from: "anywhere",
    input: logInInput,
    response: logInResponse,
    run: (ports, { appId }, input) => logIn(ports, appId, input),
    data: ({ customerId, token }) => typedJson({ customerId, token }),
  }),
  route({
    method: "GET",
    path: "/checkAuth.json",
    from: "query",
    input: checkTokenInput,
    response: checkTokenResponse,
    run: (ports, { appId }, input) => checkToken(ports, appId, input),
    data: typedJson,
  }),
] as const;
