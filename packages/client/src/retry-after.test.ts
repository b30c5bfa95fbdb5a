import { expect, it } from "vitest";
import { retryAfterOf } from "./retry-after.js";

const NOW = Date.UTC(2026, 10, 27, 8, 0, 0);
const asked = (headers: Record<string, string>) => retryAfterOf(new Response(null, { headers }), NOW);

it.each([
  ["0", 0],
  ["3", 3_000],
  ["120", 120_000],
  ["999999999999999999999999", 86_400_000],
  ["Fri, 27 Nov 2026 08:00:05 GMT", 5_000],
  ["Friday, 27-Nov-26 08:00:05 GMT", 5_000],
  ["Fri, 27 Nov 2026 07:59:00 GMT", 0],
  ["Fri, 27 Nov 2099 08:00:00 GMT", 86_400_000],
  ["", undefined],
  ["soon", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  ["2026-11-27", undefined],
  ["Fri, 99 Nov 2026 08:00:05 GMT", undefined],
])("reads the Retry-After %j as %j milliseconds", (text, pause) => {
  expect(asked({ "retry-after": text })).toBe(pause);
});

it("counts a date from the time of the service", () => {
  const headers = { date: "Fri, 27 Nov 2026 09:30:00 GMT", "retry-after": "Fri, 27 Nov 2026 09:30:07 GMT" };
  expect(asked(headers)).toBe(7_000);
});
