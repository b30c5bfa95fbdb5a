import type { Order } from "@tillkit/core";
import { expect } from "vitest";
import type { ServiceReply, Caller } from "./caller.js";
import { aMobileNo, codeFor, lastCode, loggedIn } from "./logins.js";
import { aPurchase, created, detail, paid } from "./purchases.js";
import type { Service } from "./service.js";

/** The names and secrets that a request may contain. */
export interface Names {
  readonly bizNo: string;
  readonly customerIdentity: string;
  /** A phone number, and the code that was sent to it. */
  readonly mobileNo: string;
  readonly authCode: string;
  readonly token: string;
}

/** The data of the demo app, and methods to check that the data is intact. */
export interface Owner {
  readonly order: Order;
  readonly names: Names;
  /** Values that must not occur in a response to another app. */
  readonly kept: readonly string[];
  /** Reads the data as the app itself. */
  read(): Promise<readonly string[]>;
  /** Fails the test if the sent code no longer logs its customer in. */
  expectCodeToWork(): Promise<void>;
}

const WORDS = { goodsTitle: "Thirty days of secrets", attachData: "a secret note" } as const;

/** Creates data for the demo app: a paid order with a service, a session, and an unused code. */
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

/** Returns names of the same form that do not exist. */
export function unknownNames({ authCode, token }: Names): Names {
  const unused = { bizNo: "biz-nobody", customerIdentity: "customer-nobody", mobileNo: aMobileNo(3) };
  return { ...unused, authCode, token: `${token.slice(0, -8)}${"A".repeat(8)}` };
}

/** Sends a request with these names. */
export type SendAsCaller = (caller: Caller, names: Names) => Promise<ServiceReply>;

/** A valid request to every endpoint of payments and sessions, by method and path. */
export const REQUESTS: Readonly<Record<string, SendAsCaller>> = {
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
