import type { Order } from "@tillkit/core";
import { expect } from "vitest";
import type { Answer, Caller } from "./caller.js";
import { aMobileNo, codeFor, lastCode, loggedIn } from "./logins.js";
import { aPurchase, created, detail, paid } from "./purchases.js";
import type { Service } from "./service.js";

/** What a request may name. */
export interface Names {
  readonly bizNo: string;
  readonly customerIdentity: string;
  /** A phone number, and the code that was sent to it. */
  readonly mobileNo: string;
  readonly authCode: string;
  readonly token: string;
}

/** What the demo app has, and how to see that it still has it. */
export interface Owner {
  readonly order: Order;
  readonly names: Names;
  /** Values that no other app's answer may hold. */
  readonly kept: readonly string[];
  /** What the app itself reads. */
  read(): Promise<readonly string[]>;
  /** Fails unless the code that was sent still logs its customer in. */
  expectCodeToWork(): Promise<void>;
}

const WORDS = { goodsTitle: "Thirty days of secrets", attachData: "a secret note" } as const;

/** Gives the demo app a paid order with a service, a customer who is logged in, and a code under way to another. */
export async function anOwner(service: Service): Promise<Owner> {
  const { demo, serviceTypeNo } = service;
  const purchase = aPurchase({ customerIdentity: "customer-of-demo", serviceTypeNo, ...WORDS });
  const order = await created(service, demo, purchase);
  await paid(service, order);
  const { customerId, token } = await loggedIn(service, demo, aMobileNo(1));
  const mobileNo = aMobileNo(2);
  await codeFor(service, demo, mobileNo);
  const authCode = lastCode(service);
  const { bizNo, customerIdentity } = order;
  return {
    order,
    names: { bizNo, customerIdentity, mobileNo, authCode, token },
    kept: [order.id, order.payToolId, customerId, ...Object.values(WORDS)],
    read: async () => {
      const answers = [
        await detail(demo, order),
        await demo.get("/history.json", { customerIdentity }),
        await demo.get(`/customerServiceMgmt/${customerIdentity}.json`),
        await demo.get("/checkAuth.json", { token }),
        await demo.get("/payTools.json"),
      ];
      for (const answer of answers) expect(answer.code).toBe(0);
      return answers.map(({ text }) => text);
    },
    expectCodeToWork: async () => {
      expect((await demo.post("/auth.json", { mobileNo, authCode })).code).toBe(0);
    },
  };
}

/** Names of the same form that nobody has. */
export function namesOfNobody({ authCode, token }: Names): Names {
  const unused = { bizNo: "biz-nobody", customerIdentity: "customer-nobody", mobileNo: aMobileNo(3) };
  return { ...unused, authCode, token: `${token.slice(0, -8)}${"A".repeat(8)}` };
}

/** Sends a request of an endpoint with these names, by a caller. */
export type Ask = (caller: Caller, names: Names) => Promise<Answer>;

/** A well-formed request to every endpoint of payments and sessions, by method and path. */
export const REQUESTS: Readonly<Record<string, Ask>> = {
  "GET /payTools.json": (caller) => caller.get("/payTools.json"),
  "POST /order.json": (caller, { bizNo, customerIdentity }) =>
    caller.post("/order.json", aPurchase({ bizNo, customerIdentity })),
  "GET /detail.json": (caller, names) => detail(caller, names),
  "GET /history.json": (caller, { customerIdentity }) => caller.get("/history.json", { customerIdentity }),
  "GET /customerServiceMgmt/{customerIdentity}.json": (caller, { customerIdentity }) =>
    caller.get(`/customerServiceMgmt/${customerIdentity}.json`),
  "GET /sms.json": (caller, { mobileNo }) => caller.get("/sms.json", { mobileNo }),
  "POST /auth.json": (caller, { mobileNo, authCode }) => caller.post("/auth.json", { mobileNo, authCode }),
  "GET /checkAuth.json": (caller, { token }) => caller.get("/checkAuth.json", { token }),
};
