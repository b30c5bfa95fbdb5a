import { metricsSurface, paymentsSurface } from "@tillkit/core/http";
import { z } from "zod";
import { callSurface, type ExampleReply, type ExampleRequest } from "./example-calls.js";
import { openExampleShop, SERVICE_TYPE } from "./example-shop.js";

/** A real reply of an operation, with a name and a summary. */
export interface Example extends ExampleReply {
  readonly name: string;
  readonly summary: string;
}

/** The examples of one operation. */
export interface OperationExamples {
  /** The request whose reply is the first example. */
  readonly request: ExampleRequest;
  readonly replies: readonly [Example, ...Example[]];
}

const CUSTOMER = "customer-7";
const MOBILE_NO = "13800138000";
const ORDER = {
  bizNo: "order-1001",
  customerIdentity: CUSTOMER,
  amount: 600,
  goodsTitle: "Membership for 30 days",
  payChannel: "WALLET_A",
  serviceTypeNo: SERVICE_TYPE,
  attachData: '{"campaign":"spring"}',
  sourceFrom: "store_01",
} as const;
const DETAIL = { bizNo: ORDER.bizNo, customerIdentity: CUSTOMER } as const;
const orderReply = z.object({ data: z.object({ id: z.string() }) });
const loginReply = z.object({ data: z.object({ token: z.string() }) });

/**
 * Runs both surfaces over ports in memory and returns their replies by operation id.
 *
 * Clock and random are deterministic, so every run returns the same replies.
 */
export async function operationExamples(): Promise<ReadonlyMap<string, OperationExamples>> {
  const shop = await openExampleShop();
  const { ports, credentials, clientId } = shop;
  const found = new Map<string, OperationExamples>();
  const payments = paymentsSurface(ports);
  const metrics = metricsSurface(ports);
  /** Adds the reply to the examples of an operation. */
  const show = async (operationId: string, name: string, summary: string, request: ExampleRequest) => {
    const reply = operationId.startsWith("getDownloads")
      ? await callSurface(metrics, request)
      : await callSurface(payments, { ...request, headers: { ...credentials } });
    const example = { name, summary, ...reply };
    const known = found.get(operationId);
    found.set(
      operationId,
      known === undefined
        ? { request, replies: [example] }
        : { ...known, replies: [...known.replies, example] },
    );
    return reply;
  };
  const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
    ({ method: "GET", path, query }) as const;
  const post = (path: string, body: Readonly<Record<string, unknown>>) =>
    ({ method: "POST", path, body }) as const;

  await show("listPayTools", "bothChannels", "An app with both channels", get("/payTools.json"));

  const order = (changes: Readonly<Record<string, unknown>>) => post("/order.json", { ...ORDER, ...changes });
  await show("createOrder", "app", "WALLET_A in an app", order({}));
  const code = { bizNo: "order-1002", payChannel: "WALLET_B", paySource: "NATIVE" };
  await show("createOrder", "qrCode", "WALLET_B by a QR code", order(code));
  await show("createOrder", "invalidAmount", "The amount is not a JSON integer", order({ amount: 6.5 }));
  await show("createOrder", "conflict", "Another amount for the same `bizNo`", order({ amount: 700 }));

  ports.clock.advance(5_000);
  const detail = get("/detail.json", DETAIL);
  const pending = await show("getOrder", "pending", "The customer has not paid yet", detail);
  ports.wallets.WALLET_A.pay(orderReply.parse(pending.body).data.id);
  ports.clock.advance(ports.policy.refreshInterval);
  await show("getOrder", "paid", "The customer has paid", detail);
  ports.clock.advance(60_000);
  await shop.refund(ORDER.bizNo, 250);
  await show("getOrder", "partlyRefunded", "A part of the amount was refunded", detail);
  const unknown = { ...DETAIL, bizNo: "order-9999" };
  await show("getOrder", "notFound", "No such order of this customer", get("/detail.json", unknown));

  const history = get("/history.json", { customerIdentity: CUSTOMER, pageNum: "1", pageSize: "10" });
  await show("listOrders", "twoOrders", "A paid order and a pending order", history);
  const tooLarge = get("/history.json", { customerIdentity: CUSTOMER, pageSize: "1000" });
  await show("listOrders", "invalidPage", "The page is too large", tooLarge);

  const services = get(`/customerServiceMgmt/${CUSTOMER}.json`);
  await show("listServices", "oneService", "A service that a paid order extended", services);

  const sms = get("/sms.json", { mobileNo: MOBILE_NO });
  await show("sendCode", "sent", "The code was sent", sms);
  await show("sendCode", "invalidNumber", "Not a phone number", get("/sms.json", { mobileNo: "12" }));
  for (let sent = 1; sent < ports.policy.smsPerDay; sent += 1) {
    ports.clock.advance(ports.policy.smsCooldown);
    await callSurface(payments, { ...sms, headers: { ...credentials } });
  }
  await show("sendCode", "quotaExceeded", "The allowance of the day is used up", sms);

  const authCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
  const login = (sent: string) => post("/auth.json", { mobileNo: MOBILE_NO, authCode: sent });
  const wrongCode = authCode === "000000" ? "111111" : "000000";
  const loggedIn = await show("logIn", "loggedIn", "A new session", login(authCode));
  await show("logIn", "wrongCode", "A wrong or used code", login(wrongCode));

  const { token } = loginReply.parse(loggedIn.body).data;
  await show("checkToken", "valid", "A valid token", get("/checkAuth.json", { token }));
  await show("checkToken", "notValid", "An unknown token", get("/checkAuth.json", { token: "unknown" }));

  for (const [operationId, path] of [
    ["getDownloads", "/misc/v2/downloads-api"],
    ["getDownloadsLegacy", "/misc/downloads-api"],
  ] as const) {
    const range = { id: clientId, start: "2026-01-12", end: "2026-01-13" };
    await show(operationId, "report", "Two stores and two days", get(path, range));
    const reversed = get(path, { ...range, start: "2026-01-14" });
    await show(operationId, "invalidRange", "The range ends before it starts", reversed);
    const otherClient = get(path, { ...range, id: "unknown" });
    await show(operationId, "idNotAllowed", "An unknown client", otherClient);
  }
  return found;
}
