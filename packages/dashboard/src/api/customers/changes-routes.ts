import {
  type ChangedNumbers,
  type CustomerErasure,
  detachNumber,
  endSessions,
  eraseCustomer,
  LONGEST_KEY,
  mergeCustomers,
  moveNumber,
} from "@tillkit/core/operators";
import type { ChangeOutcome } from "@tillkit/core/ports";
import { ok } from "neverthrow";
import * as z from "zod";
import { commandOf } from "../command-of.js";
import type { PathParameters } from "../path-matcher.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { requireApp } from "../visible-apps.js";

const PATH = "/api/customers/{appId}/{customerIdentity}";

/** Returns the members of the input that every change of a customer has. */
export const customerKey = () => ({
  appId: singleLineText(64),
  customerIdentity: singleLineText(LONGEST_KEY),
});

/** Returns the subject of an audit entry about a customer. */
export const ofCustomer = ({ appId = "", customerIdentity = "" }: PathParameters) =>
  `customer:${appId}/${customerIdentity}`;

const ended = () => z.strictObject({ sessions: z.int().describe("The number of ended sessions.") });

const erased = () =>
  z
    .strictObject({
      phones: z.int().describe("The number of stored hashes of phone numbers."),
      codes: z.int(),
      counters: z.int(),
      sessions: z.int(),
      orders: z.int().describe("The number of orders whose texts were erased."),
      inFlight: z.int().describe("The number of orders that keep their texts until they have ended."),
    })
    .meta({ id: "Erasure" });

/** Returns the details of a change in its audit entry. */
function recorded({ detail = "{}" }: Pick<ChangeOutcome, "detail">): unknown {
  return JSON.parse(detail);
}

/** What every change of a customer has in common. */
const common = {
  method: "POST",
  subject: ofCustomer,
  require: (context: RouteContext, { appId }: { readonly appId: string }) => requireApp(context, appId),
} as const;

/** What every change of phone numbers has in common. */
const moving = {
  ...common,
  response: ended,
  repeat: async (_context: RouteContext, _input: unknown, done: ChangeOutcome) => {
    const { before } = z.object({ before: ended() }).parse(recorded(done));
    return ok({ value: before });
  },
} as const;

const ofSessions = ({ sessions }: ChangedNumbers) => ({ value: { sessions } });

/** The changes of one customer. */
export const customerChanges = [
  operatorChange({
    ...common,
    response: ended,
    repeat: async (_context, _input, done) => ok({ value: ended().strip().parse(recorded(done)) }),
    path: `${PATH}/sessions/end`,
    allowed: "customer.end-sessions",
    action: "customer.end-sessions",
    input: () => z.object({ ...customerKey(), ...reasonInput(), sessionId: singleLineText(64).optional() }),
    run: async (context, { appId, customerIdentity, sessionId, reason }) => {
      const by = commandOf(context, reason);
      const done = await endSessions(context.ports, appId, { customerIdentity }, sessionId, by);
      return done.map((sessions) => ({ value: { sessions } }));
    },
  }),
  operatorChange({
    ...common,
    path: `${PATH}/erase`,
    allowed: "customer.erase",
    action: "customer.erase",
    input: () =>
      z
        .object({
          ...customerKey(),
          ...reasonInput(),
          typedIdentity: singleLineText(LONGEST_KEY).describe(
            "The identity of the customer, as the operator has typed it. Another text is refused.",
          ),
        })
        // The typed identity must equal the one in the path: the page may still show another
        // customer.
        .refine(({ customerIdentity, typedIdentity }) => typedIdentity.trim() === customerIdentity.trim(), {
          path: ["typedIdentity"],
        }),
    response: erased,
    repeat: async (_context, _input, done) => ok({ value: erased().strip().parse(recorded(done)) }),
    run: async (context, { appId, customerIdentity, reason }) => {
      const by = commandOf(context, reason);
      const done = await eraseCustomer(context.ports, appId, { customerIdentity }, by);
      return done.map((erasure) => ({ value: summaryOf(erasure) }));
    },
  }),
  // The stored digest of the changes below does not depend on a phone number.
  operatorChange({
    ...moving,
    path: `${PATH}/numbers/detach`,
    allowed: "customer.detach-number",
    action: "customer.detach-number",
    secret: ["mobileNo"],
    input: () => z.object({ ...customerKey(), ...reasonInput(), mobileNo: singleLineText(64) }),
    run: async (context, { appId, customerIdentity, mobileNo, reason }) => {
      const number = { mobileNo, customerId: customerIdentity };
      const done = await detachNumber(context.ports, appId, number, commandOf(context, reason));
      return done.map(ofSessions);
    },
  }),
  operatorChange({
    ...moving,
    path: `${PATH}/numbers/move`,
    allowed: "customer.move-number",
    action: "customer.move-number",
    secret: ["from", "to"],
    input: () =>
      z.object({
        ...customerKey(),
        ...reasonInput(),
        from: singleLineText(64),
        to: singleLineText(64),
      }),
    run: async (context, { appId, customerIdentity, from, to, reason }) => {
      const numbers = { from, to, customerId: customerIdentity };
      const done = await moveNumber(context.ports, appId, numbers, commandOf(context, reason));
      return done.map(ofSessions);
    },
  }),
  operatorChange({
    ...moving,
    path: `${PATH}/merge`,
    allowed: "customer.merge",
    action: "customer.merge",
    input: () =>
      z.object({
        ...customerKey(),
        ...reasonInput(),
        into: singleLineText(LONGEST_KEY).describe("The customer who gets the phone numbers."),
      }),
    run: async (context, { appId, customerIdentity, into, reason }) => {
      const customers = { from: customerIdentity, into };
      const done = await mergeCustomers(context.ports, appId, customers, commandOf(context, reason));
      return done.map(ofSessions);
    },
  }),
];

function summaryOf({ phones, codes, counters, sessions, orders, inFlight }: CustomerErasure) {
  return { phones, codes, counters, sessions, orders, inFlight: inFlight.length };
}
