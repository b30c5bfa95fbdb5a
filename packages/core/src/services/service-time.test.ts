import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expireTimeOf, extendedExpireTime, type ServiceGrant } from "./service-time.js";

/** Extends a service with one grant after the other. */
function folded(grants: readonly ServiceGrant[]): number | undefined {
  return grants.reduce<number | undefined>(
    (expireTime, { grantedAt, durationMs }) =>
      extendedExpireTime(expireTime ?? grantedAt, grantedAt, durationMs),
    undefined,
  );
}

describe("extendedExpireTime", () => {
  it("continues a running service from its end", () => {
    expect(extendedExpireTime(1_000, 400, 50)).toBe(1_050);
  });

  it("starts an expired service again at the payment", () => {
    expect(extendedExpireTime(1_000, 4_000, 50)).toBe(4_050);
  });
});

describe("expireTimeOf", () => {
  it("is undefined without grants", () => {
    expect(expireTimeOf([])).toBeUndefined();
  });

  it.each([
    ["in the order of their times", true],
    ["when clocks disagree about the times", false],
  ])("equals extending the service with one grant after the other, %s", (_case, sorted) => {
    const grant = fc.record({ grantedAt: fc.nat({ max: 100 }), durationMs: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(grant), (made) => {
        const grants = sorted ? made.toSorted((one, other) => one.grantedAt - other.grantedAt) : made;
        expect(expireTimeOf(grants)).toBe(folded(grants));
      }),
    );
  });
});
