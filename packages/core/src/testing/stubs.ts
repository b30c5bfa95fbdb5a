import type { App } from "../apps/app.js";
import type { Order } from "../orders/order.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Refund } from "../refunds/refund.js";

/** Every check of an identity, enabled as in a new app. */
export const EVERY_CHECK: App["identityChecks"] = {
  email: true,
  phone: true,
  card: true,
  identityCard: true,
  walletAccount: true,
  bizNo: true,
};

/** The app of {@link anOrder} and {@link account}. */
export const app: App = {
  appId: "app_1",
  name: "Demo",
  accountBased: true,
  identityChecks: EVERY_CHECK,
  disabled: false,
  secrets: [],
  gmtCreate: 0,
  gmtModified: 0,
};

/** The account that receives the money of {@link anOrder}. */
export const account: WalletAccount = {
  id: "tool-1",
  appId: "app_1",
  accountId: "merchant-1",
  walletAppId: "wallet-app-1",
  payChannel: "WALLET_A",
  signStatus: "OK",
  appEnv: "DEV",
  appName: "",
  appPackageName: "",
  appSignature: "",
  credentials: {},
  gmtCreate: 0,
  gmtModified: 0,
};

/** Creates a PENDING order of six yuan with `changes`. It expires 10 s after its creation. */
export function anOrder(changes: Partial<Order> = {}): Order {
  return {
    id: "order-1",
    appId: "app_1",
    bizNo: "b-1",
    customerIdentity: "c-1",
    amount: 600,
    goodsTitle: "Thirty days",
    payChannel: "WALLET_A",
    paySource: "APP",
    paymentStatus: "PENDING",
    payToolId: account.id,
    notifyUrl: "https://pay.example/notify",
    returnUrl: "https://pay.example/return",
    expiresAt: 10_000,
    refundedAmount: 0,
    gmtCreate: 0,
    gmtModified: 0,
    ...changes,
  };
}

/** Creates a REQUESTED refund of two yuan of {@link anOrder}, with `changes`. */
export function aRefund(changes: Partial<Refund> = {}): Refund {
  return {
    appId: "app_1",
    bizNo: "b-1",
    refundNo: "refund-1",
    amount: 200,
    reason: "asked to",
    operator: "han",
    status: "REQUESTED",
    gmtCreate: 0,
    gmtModified: 0,
    ...changes,
  };
}

/** Creates a port with only the methods that the function under test may call. */
export function stub<T extends object>(methods: Partial<NoInfer<T>>): T;
export function stub(methods: object): object {
  return methods;
}
