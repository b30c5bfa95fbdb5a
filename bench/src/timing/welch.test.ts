import { expect, it } from "vitest";
import { compare } from "./welch.js";

/** Durations around `mean`, the same in every run. */
const sample = (mean: number, count = 2_000) =>
  Array.from({ length: count }, (_, nth) => mean + ((nth * 7_919) % 101) / 10);

it("compare finds a difference of a tenth of the noise", () => {
  const { meanLeft, meanRight, t } = compare(sample(100), sample(101));
  expect(meanRight - meanLeft).toBeGreaterThan(0.5);
  expect(t).toBeLessThan(-4.5);
});

it("compare finds no difference between equal samples, even if one of them has a few long pauses", () => {
  const paused = sample(100).map((one, nth) => (nth % 50 === 0 ? one + 10_000 : one));
  expect(Math.abs(compare(paused, sample(100)).t)).toBeLessThan(4.5);
});
