import { aKeyedHash, aSession, expectOk, FIXTURE_TIME, unique } from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { tablesOf } from "../sql/tables.js";
import { withBlockedStatement } from "../testing/blocked-statement.js";
import { KEY, serverSchema } from "../testing/databases.js";

// Each test pauses one of two transactions in the middle, and starts the other transaction.

const AT = FIXTURE_TIME + 1_000;
const APP = "app_1";

let sql: SqlClient;
let schema: string;
let stores: Stores;
beforeEach(async () => {
  ({ sql, schema } = await serverSchema());
  stores = postgresStores({ sql, schema, credentialKeys: [KEY] });
});

/** Stores a customer with a phone number and a session. */
async function aCustomer() {
  const [customerId, phoneHash] = [unique("customer-"), aKeyedHash()];
  await expectOk(stores.sessions.identify(APP, [phoneHash], customerId, FIXTURE_TIME));
  const session = aSession({ appId: APP, customerId });
  await expectOk(stores.sessions.open(session, 5));
  return { customerId, phoneHash, session };
}
type Customer = Awaited<ReturnType<typeof aCustomer>>;

const erase = ({ customerId, phoneHash }: Customer) =>
  expectOk(
    stores.customerData.eraseLogin({ appId: APP, customerIds: [customerId], phoneHashes: [phoneHash] }, AT),
  );
const move = ({ phoneHash, customerId: from }: Customer, { customerId: to }: Customer) =>
  expectOk(stores.sessions.movePhones(APP, [{ phoneHash, from, to }], AT));
const ownerOf = async ({ phoneHash }: Customer) =>
  (await expectOk(stores.sessions.findPhones(APP, [phoneHash])))[0]?.customerId;
const isLive = ({ session }: Customer) => expectOk(stores.sessions.use(session, AT));
const mayLogIn = async ({ customerId }: Customer) =>
  (await expectOk(stores.sessions.open(aSession({ appId: APP, customerId, gmtCreate: AT }), 5))) !==
  undefined;

/** Pauses a statement that writes `value` into the column of a table. */
const paused = <T>(
  [table, column, value]: readonly ["customers" | "session_owners" | "sessions", string, string],
  call: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
) => withBlockedStatement(sql, { schema, table: tablesOf(schema)[table], column, value }, call, meanwhile);

describe("an erasure", () => {
  it("waits for a move that is under way, and leaves the number and its new customer", async () => {
    const [customer, other] = [await aCustomer(), await aCustomer()];
    const ended = await paused(
      ["customers", "customer_id", other.customerId],
      () => move(customer, other),
      () => erase(customer),
    );
    expect(ended).toBe(1);
    expect([await ownerOf(customer), await ownerOf(other)]).toEqual([other.customerId, other.customerId]);
    expect([await isLive(customer), await isLive(other)]).toEqual([false, true]);
    expect([await mayLogIn(customer), await mayLogIn(other)]).toEqual([false, true]);
  });

  it("comes before a move that begins meanwhile, which then fails", async () => {
    const [customer, other] = [await aCustomer(), await aCustomer()];
    const moves: Promise<number | undefined>[] = [];
    const erased = await paused(
      ["session_owners", "customer_id", customer.customerId],
      () => erase(customer),
      () => {
        const moved = move(customer, other);
        moves.push(moved);
        return moved;
      },
    );
    expect(erased).toMatchObject({ phoneHashes: [customer.phoneHash], sessions: 1 });
    expect(await Promise.all(moves)).toEqual([undefined]);
    expect([await ownerOf(customer), await ownerOf(other)]).toEqual([undefined, other.customerId]);
    expect([await mayLogIn(customer), await mayLogIn(other)]).toEqual([false, true]);
  });

  it("waits for a move to the customer, and removes the number that came with it", async () => {
    const [customer, other] = [await aCustomer(), await aCustomer()];
    await paused(
      ["customers", "customer_id", customer.customerId],
      () => move(other, customer),
      () => erase(customer),
    );
    expect([await ownerOf(customer), await ownerOf(other)]).toEqual([undefined, undefined]);
    expect([await mayLogIn(customer), await mayLogIn(other)]).toEqual([false, true]);
  });

  it("waits for a login that stores its session, and removes the session", async () => {
    const customer = await aCustomer();
    const late = aSession({ appId: APP, customerId: customer.customerId, gmtCreate: AT });
    await paused(
      ["sessions", "token_hash", late.tokenHash],
      () => expectOk(stores.sessions.open(late, 5)),
      () => erase(customer),
    );
    expect(await expectOk(stores.sessions.use(late, AT))).toBe(false);
    const { customerId, phoneHash } = customer;
    expect(await expectOk(stores.sessions.confirmLogin(APP, [phoneHash], customerId, AT))).toBe(false);
    expect(await expectOk(stores.sessions.list(APP, customerId))).toEqual([]);
  });

  it("lets a login wait, which then gets no session", async () => {
    const customer = await aCustomer();
    const logins: Promise<boolean>[] = [];
    await paused(
      ["session_owners", "customer_id", customer.customerId],
      () => erase(customer),
      () => {
        const login = mayLogIn(customer);
        logins.push(login);
        return login;
      },
    );
    expect(await Promise.all(logins)).toEqual([false]);
    expect(await expectOk(stores.sessions.list(APP, customer.customerId))).toEqual([]);
  });
});
