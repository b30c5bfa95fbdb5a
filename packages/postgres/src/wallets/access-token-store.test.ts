import { expectOk, FIXTURE_TIME, race, unique } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { KEY } from "../testing/databases.js";
import { recordedStores } from "../testing/recorded-stores.js";

const MINUTE = 60_000;

it("the access token store lets one caller of two hosts request a token, and gives the token to both", async () => {
  const { sql, schema, stores } = await recordedStores();
  const hosts = [stores, postgresStores({ sql, schema, credentialKeys: [KEY] })] as const;
  const tool = unique("tool");
  const claim = (caller: number, now = FIXTURE_TIME) =>
    hosts[caller % 2 === 0 ? 0 : 1].accessTokens.claim(tool, { id: `c${caller}`, now, until: now + MINUTE });
  const claimed = await race(16, (caller) => claim(caller));
  const granted = claimed.flatMap(({ kind }, caller) => (kind === "granted" ? [caller] : []));
  expect(granted).toHaveLength(1);
  const token = { id: `c${granted[0]}`, token: "80_t", expiresAt: FIXTURE_TIME + MINUTE };
  expect(await expectOk(hosts[1].accessTokens.save(tool, token))).toBe(true);
  for (const caller of [0, 1]) expect(await expectOk(claim(caller))).toStrictEqual({ kind: "token", token });
  await expectOk(hosts[0].accessTokens.remove(tool, token.id));
  expect(await expectOk(claim(1))).toEqual({ kind: "granted" });
});
