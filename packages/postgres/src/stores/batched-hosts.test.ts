import {
  aCode,
  aKeyedHash,
  aSession,
  FIXTURE_TIME,
  expectOk,
  race,
  unique,
  tryLimits,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { expect, it } from "vitest";
import { postgresStores } from "./postgres-stores.js";
import { KEY } from "../testing/databases.js";
import { recordedStores } from "../testing/recorded-stores.js";

const RIVALS = 8;
const ROUNDS = 6;

const rivals = <T>(make: () => T): readonly T[] => Array.from({ length: RIVALS }, make);

/** Creates two hosts over one schema, whose batches compete for the same rows. */
async function twoHosts() {
  const { sql, schema, stores, ran } = await recordedStores();
  const hosts = [stores, postgresStores({ sql, schema, credentialKeys: [KEY] })];
  /** Calls each host `ROUNDS` times for every rival, concurrently. Returns the results by rival. */
  const meet = async <A, T>(
    among: readonly A[],
    call: (host: Stores, rival: A, round: number) => Promise<T>,
  ): Promise<readonly (readonly T[])[]> => {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
    const calls = rounds.flatMap((round) =>
      among.flatMap((rival) =>
        hosts.map(async (host) => ({ rival, answer: await call(host, rival, round) })),
      ),
    );
    const answers = await Promise.all(calls);
    expect(ran().some((method) => method.endsWith("_batched"))).toBe(true);
    return among.map((rival) =>
      answers.filter((answered) => answered.rival === rival).map(({ answer }) => answer),
    );
  };
  return { stores, meet };
}

it("two hosts match a code once, and limit the number of attempts", async () => {
  const { stores, meet } = await twoHosts();
  const [used, guessed] = [rivals(() => aCode()), rivals(() => aCode())];
  await race(RIVALS, (n) => stores.codes.add(used[n] ?? aCode(), tryLimits()));
  await race(RIVALS, (n) => stores.codes.add(guessed[n] ?? aCode(), tryLimits()));
  const uses = await meet(used, ({ codes }, code) => expectOk(codes.attempt(code, tryLimits())));
  for (const outcomes of uses) expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
  const guesses = await meet(guessed, ({ codes }, code) =>
    expectOk(codes.attempt({ ...code, codeHash: aKeyedHash() }, tryLimits())),
  );
  for (const outcomes of guesses) expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(5);
});

it("two hosts create one customer per phone number", async () => {
  const { meet } = await twoHosts();
  const hashes = rivals(() => aKeyedHash());
  const customers = await meet(hashes, ({ sessions }, hash) =>
    expectOk(sessions.identify("app_1", [hash], unique("customer-"), FIXTURE_TIME)),
  );
  for (const ids of customers) expect(new Set(ids).size).toBe(1);
});

it("two hosts grant at most the units of a day, and count returned units", async () => {
  const { stores, meet } = await twoHosts();
  const keys = rivals(() => ({ scope: "sms", subject: unique("s-") }) as const);
  const unit = { day: "2026-01-15", limit: ROUNDS + 2, now: FIXTURE_TIME, spacing: 0 };
  const grants = await meet(keys, ({ quotas }, key) => expectOk(quotas.take(key, unit)));
  for (const units of grants) {
    const used = units.filter(({ granted }) => granted).map((grant) => grant.used);
    expect(used.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  }
  const more = { ...unit, limit: 4 * ROUNDS };
  await meet(keys, ({ quotas }, key) => expectOk(quotas.take(key, more)));
  await meet(keys, ({ quotas }, key) => expectOk(quotas.giveBack(key, unit.day)));
  const left = await race(RIVALS, (n) => stores.quotas.take(keys[n] ?? { scope: "sms", subject: "" }, more));
  for (const grant of left) expect(grant).toEqual({ granted: true, used: 9 });
});

it("two hosts keep a customer's maximum of live sessions, and end each session once", async () => {
  const { stores, meet } = await twoHosts();
  const customers = rivals(() => unique("customer-"));
  const opened = await meet(customers, async ({ sessions }, customerId, round) => {
    const session = aSession({ customerId, gmtCreate: FIXTURE_TIME + round });
    return { session, ended: (await expectOk(sessions.open(session, 3))) ?? [] };
  });
  for (const logins of opened) {
    const ended = logins.flatMap((login) => login.ended.map(({ tokenHash }) => tokenHash));
    expect(new Set(ended).size).toBe(ended.length);
    const live = await race(logins.length, (n) =>
      stores.sessions.use(logins[n]?.session ?? aSession(), FIXTURE_TIME),
    );
    expect(live.filter(Boolean)).toHaveLength(3);
    expect(ended).toHaveLength(logins.length - 3);
  }
});
