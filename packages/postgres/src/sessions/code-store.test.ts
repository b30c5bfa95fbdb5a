import { expectOk, tryLimits } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresCodeStore } from "./code-store.js";
import { integer } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { serverSchema } from "../testing/databases.js";

const TRIES = 3;
/** These calls, the holder of the lock and the observer need all connections of the pool. */
const CONCURRENT_CALLERS = 8;

it("attempt compares at most maxTries codes, even if all attempts began before the first was counted", async () => {
  const { sql, schema } = await serverSchema();
  const { auth_codes: codes } = tablesOf(schema);
  const store = postgresCodeStore(sql, schema);
  const code = { appId: "app_1", phoneHash: "v1:phone", codeHash: "v1:right", expiresAt: 2 };
  await expectOk(store.add(code, tryLimits()));
  const waiting = statement(
    "test_waiting",
    "select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and position($1 in query) > 0",
  );
  const race = await sql.transaction(async (holder) => {
    await holder.query(statement("test_hold", `select from ${codes} for update`), []);
    const tries = Array.from({ length: CONCURRENT_CALLERS }, () =>
      store.attempt({ ...code, codeHash: "v1:wrong" }, tryLimits({ now: 1, perCode: TRIES })),
    );
    const found = async () => (await sql.query(waiting, [codes])).map((row) => integer(row, "waiting"));
    await expect.poll(found).toEqual([CONCURRENT_CALLERS]);
    return { tries };
  });
  const outcomes = await Promise.all(race.tries.map(expectOk));
  expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(TRIES);
});
