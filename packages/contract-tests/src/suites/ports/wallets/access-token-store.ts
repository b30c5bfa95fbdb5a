import type { AccessTokenStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, FIXTURE_TIME, MINUTE, UNUSUAL_TEXT } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

const TOOL = "tool-1";
const TOKEN = { id: "first", token: `80_${UNUSUAL_TEXT}`, expiresAt: FIXTURE_TIME + 10 * MINUTE };

/** Tests every requirement of `AccessTokenStore`. `open` returns an empty store for each test. */
export function accessTokenStoreContract(
  adapter: string,
  open: () => Promise<Opened<AccessTokenStore>>,
): void {
  describe(`AccessTokenStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const claim = (id: string, now = FIXTURE_TIME, payToolId = TOOL) =>
      expectOk(store().claim(payToolId, { id, now, until: now + MINUTE }));
    const save = (changes: Partial<typeof TOKEN> = {}, payToolId = TOOL) =>
      expectOk(store().save(payToolId, { ...TOKEN, ...changes }));

    it("grants the request of a token to one claim until the claim ends, separately for each pay tool", async () => {
      expect(await claim("first")).toEqual({ kind: "granted" });
      expect(await claim("second", FIXTURE_TIME + MINUTE - 1)).toEqual({ kind: "claimed-by-another" });
      expect(await claim("second", FIXTURE_TIME, "tool-2")).toEqual({ kind: "granted" });
      expect(await claim("second", FIXTURE_TIME + MINUTE)).toEqual({ kind: "granted" });
    });

    it("returns the stored token exactly as given, only for its pay tool, until it expires", async () => {
      await claim("first");
      expect(await save()).toBe(true);
      const { expiresAt } = TOKEN;
      expect(await claim("second", expiresAt - 1)).toStrictEqual({ kind: "token", token: TOKEN });
      expect(await claim("second", expiresAt - 1, "tool-2")).toEqual({ kind: "granted" });
      expect(await claim("second", expiresAt)).toEqual({ kind: "granted" });
      expect(await claim("third", expiresAt)).toEqual({ kind: "claimed-by-another" });
    });

    it(`grants the request to one of ${CONCURRENT_CALLERS} concurrent claims, at first and after the token has expired`, async () => {
      for (const now of [FIXTURE_TIME, TOKEN.expiresAt]) {
        const claimed = await race(CONCURRENT_CALLERS, (caller) =>
          store().claim(TOOL, { id: `${now} ${caller}`, now, until: now + MINUTE }),
        );
        const granted = claimed.flatMap(({ kind }, caller) => (kind === "granted" ? [caller] : []));
        expect(granted).toHaveLength(1);
        expect(claimed.filter(({ kind }) => kind === "claimed-by-another")).toHaveLength(
          CONCURRENT_CALLERS - 1,
        );
        expect(await save({ id: `${now} ${granted[0]}` })).toBe(true);
      }
    });

    it("stores nothing for a claim that is lost or has ended", async () => {
      expect(await save()).toBe(false);
      await claim("first");
      await claim("second", FIXTURE_TIME + MINUTE);
      expect(await save()).toBe(false);
      const second = { id: "second" };
      expect(await save(second)).toBe(true);
      expect(await save({ ...second, token: "80_other" })).toBe(false);
      expect(await claim("third")).toStrictEqual({ kind: "token", token: { ...TOKEN, ...second } });
    });

    it("grants the request to another claim after a release, but not after a release with another claim id", async () => {
      await claim("first");
      await expectOk(store().release(TOOL, "other"));
      expect(await claim("second")).toEqual({ kind: "claimed-by-another" });
      await expectOk(store().release(TOOL, "first"));
      expect(await claim("second")).toEqual({ kind: "granted" });
      expect(await save({ id: "second" })).toBe(true);
      await expectOk(store().release(TOOL, "second"));
      expect(await claim("third")).toMatchObject({ kind: "token" });
    });

    it("removes a refused token, and no token that followed it", async () => {
      await claim("first");
      await save();
      await expectOk(store().remove(TOOL, "other"));
      expect(await claim("second")).toMatchObject({ kind: "token" });
      await expectOk(store().remove(TOOL, "first"));
      await expectOk(store().remove("tool-2", "first"));
      expect(await claim("second")).toEqual({ kind: "granted" });
      await save({ id: "second" });
      await expectOk(store().remove(TOOL, "first"));
      expect(await claim("third")).toMatchObject({ kind: "token", token: { id: "second" } });
    });

    it(`requests one token after ${CONCURRENT_CALLERS} concurrent removals of a refused token`, async () => {
      await claim("first");
      await save();
      const claimed = await race(CONCURRENT_CALLERS, (caller) =>
        store()
          .remove(TOOL, "first")
          .andThen(() =>
            store().claim(TOOL, {
              id: String(caller),
              now: FIXTURE_TIME,
              until: FIXTURE_TIME + MINUTE,
            }),
          ),
      );
      expect(claimed.filter(({ kind }) => kind === "granted")).toHaveLength(1);
      expect(claimed.filter(({ kind }) => kind === "token")).toEqual([]);
    });
  });
}
