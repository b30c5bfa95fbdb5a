import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../policy.js";
import { stub } from "../../testing/stubs.js";
import { peerKey } from "../../shared/peer-key.js";
import { headersIn } from "../../shared/message-headers.js";
import { type IdOutcome, limitUnknownIds } from "./limit-unknown-ids.js";
import { metricsSurface } from "./surface.js";

const HOUR = 3_600_000;
const LIMIT = 6;

/** Creates a limiter, and a function that makes an attempt and returns whether it was allowed. */
function openFixture(most?: number) {
  let now = 1_000_000_000_000;
  const clock = { now: () => now, sleep: async () => undefined };
  const ports = { clock, policy: { ...defaultPolicy, unknownIdsPerHour: LIMIT } };
  const limiter = limitUnknownIds(ports, most);
  const attempt = (peer: string, id: string, outcome: IdOutcome = "unknown"): boolean => {
    const begun = limiter.begin(peer, id);
    if (begun.kind === "allowed") begun.end(outcome);
    return begun.kind === "allowed";
  };
  const allowed = (peer: string, count: number) =>
    Array.from({ length: count }, (_, nth) => attempt(peer, `guess-${nth}`)).filter(Boolean).length;
  return { limiter, attempt, allowed, advance: (ms: number) => (now += ms) };
}

describe("limitUnknownIds", () => {
  it("allows unknownIdsPerHour unknown ids at once, then one each time an hour divided by this limit has passed", () => {
    const { allowed, advance } = openFixture();
    expect(allowed("a", 100)).toBe(LIMIT);
    for (let hour = 0; hour < 5; hour += 1) {
      let inHour = 0;
      for (let minute = 0; minute < 60; minute += 1) {
        advance(HOUR / 60);
        inHour += allowed("a", 100);
      }
      expect(inHour).toBe(LIMIT);
    }
    advance(HOUR);
    expect(allowed("a", 100)).toBe(LIMIT);
  });

  it("counts each address separately", () => {
    const { allowed } = openFixture();
    expect([allowed("a", 9), allowed("b", 9)]).toEqual([LIMIT, LIMIT]);
  });

  it("counts an attempt while its id is looked up, and afterwards only if the id is unknown", () => {
    const { limiter, allowed } = openFixture();
    const begun = Array.from({ length: LIMIT }, (_, nth) => limiter.begin("a", `id-${nth}`));
    expect(limiter.begin("a", "one-more")).toEqual({ kind: "refused", retryAfterMs: HOUR / LIMIT });
    for (const one of begun) if (one.kind === "allowed") one.end("not-looked-up");
    expect(allowed("a", 9)).toBe(LIMIT);
  });

  it("never refuses an id to an address that used it successfully, but refuses it to another address", () => {
    const { attempt, allowed } = openFixture();
    expect(attempt("a", "known", "known")).toBe(true);
    allowed("a", 9);
    allowed("b", 9);
    expect([attempt("a", "known"), attempt("a", "other"), attempt("b", "known")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("shares one count among all further addresses if the memory is full", () => {
    const { allowed, advance } = openFixture(100);
    let found = 0;
    for (let peer = 0; peer < 5_000; peer += 1) found += allowed(`peer-${peer}`, 1);
    // One attempt for each of the hundred addresses, and the attempts of the shared count.
    expect(found).toBe(100 + LIMIT);
    expect(allowed("peer-0", 9)).toBe(LIMIT - 1);
    advance(2 * HOUR);
    expect(allowed("peer-6000", 9)).toBe(LIMIT);
  });

  it("keeps the ids that were served last", () => {
    const { attempt, allowed } = openFixture(100);
    expect(attempt("a", "first", "known")).toBe(true);
    for (let nth = 0; nth < 100; nth += 1) attempt("a", `known-${nth}`, "known");
    allowed("a", 9);
    expect([attempt("a", "first"), attempt("a", "known-0"), attempt("a", "known-99")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("allows attempts again soon after the clock was set back", () => {
    const { allowed, advance } = openFixture();
    expect(allowed("a", 9)).toBe(LIMIT);
    advance(-30 * 24 * HOUR);
    expect(allowed("a", 9)).toBe(0);
    advance(HOUR / LIMIT);
    expect(allowed("a", 9)).toBe(1);
  });
});

it("limits each address that the binding passes on, and a whole IPv6 network as one address", async () => {
  const ports = stub<Parameters<typeof metricsSurface>[0]>({
    clock: { now: () => 1_000_000_000_000, sleep: async () => undefined },
    policy: { ...defaultPolicy, unknownIdsPerHour: LIMIT },
    downloadsClients: stub({ getCached: () => undefined, find: () => okAsync(undefined) }),
    random: { bytes: (count) => new Uint8Array(count) },
  });
  const surface = metricsSurface(ports);
  const statusesFrom = (peer: string | undefined, nth: number) =>
    surface.handle({
      method: "GET",
      path: "/misc/v2/downloads-api",
      query: `id=guess-${nth}&start=2026-01-01&end=2026-01-02`,
      headers: headersIn({ "x-forwarded-for": `198.51.100.${nth}` }),
      body: new Uint8Array(),
      peer,
    });
  const allowed = async (peerOf: (nth: number) => string | undefined) => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, nth) => statusesFrom(peerOf(nth), nth)));
    return replies.filter(({ status }) => status === 403).length;
  };
  expect(await allowed(() => "192.0.2.1")).toBe(LIMIT);
  expect(await allowed((nth) => `2001:db8:1:2::${nth}`)).toBe(LIMIT);
  expect(await allowed((nth) => `2001:db8:2:${nth}::1`)).toBe(20);
  expect(await allowed(() => undefined)).toBe(LIMIT);
  expect(peerKey("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(await allowed(() => "::ffff:192.0.2.1")).toBe(0);
});
