import {
  createOrder,
  createOrderInput,
  listServices,
  listServicesInput,
  parseInput,
  type PayPayload,
  type Ports,
} from "@tillkit/core";
import { ok, safeTry } from "neverthrow";

/** Sells memberships to customers. This is the program under test. */
export interface Memberships {
  /** Returns the payload that opens the wallet. Tries again if the purchase may have started. */
  buy(customerIdentity: string, bizNo: string): Promise<PayPayload>;
  isMember(customerIdentity: string): Promise<boolean>;
}

/** How often a purchase is tried. */
const ATTEMPTS = 3;

/** Sells a service type of an app for 6 yuan. */
export function memberships(ports: Ports, appId: string, serviceTypeNo: string): Memberships {
  return {
    buy: async (customerIdentity, bizNo) => {
      const goods = { amount: 600, goodsTitle: "30 days", payChannel: "WALLET_A", serviceTypeNo };
      const input = parseInput(createOrderInput(ports.policy), { ...goods, customerIdentity, bizNo });
      for (let attempt = 1; ; attempt += 1) {
        // The same bizNo in every attempt: the customer gets one order.
        const created = await input.asyncAndThen((valid) => createOrder(ports, appId, valid));
        if (created.isOk()) return created.value.payload;
        const { name } = created.error;
        const mayTryAgain = name === "wallet-a.unavailable" || name === "storage.unavailable";
        if (!mayTryAgain || attempt === ATTEMPTS) throw new Error(name);
      }
    },
    isMember: async (customerIdentity) => {
      const found = await safeTry(async function* () {
        const query = yield* parseInput(listServicesInput(ports.policy), { customerIdentity });
        return ok(yield* listServices(ports, appId, query));
      });
      if (found.isErr()) throw new Error(found.error.name);
      const { services, serverTime } = found.value;
      return services.some((one) => one.serviceTypeNo === serviceTypeNo && one.expireTime > serverTime);
    },
  };
}
