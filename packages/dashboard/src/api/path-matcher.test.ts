import { writePathSegment } from "@tillkit/core/text";
import { describe, expect, it } from "vitest";
import { openDashboard, send } from "../testing/open-dashboard.js";
import { operatorRoutes } from "./routes.js";

const NUMBERS = [
  ".",
  "..",
  "%2e",
  "%2e%2e",
  "a/b",
  "/",
  "?x=1",
  "#",
  "a+b",
  "100%",
  "\\",
  ";v=1",
  "~",
  "~2E",
];

const parameterized = operatorRoutes.filter(({ path }) => path.includes("{"));

describe.each(parameterized.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s",
  (_, route) => {
    it.each(NUMBERS)("reads %j from its path unchanged", (number) => {
      const sent = route.path.replaceAll(/\{\w+\}/g, writePathSegment(number));
      const { pathname } = new URL(sent, "https://shop.example");
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(route.match(pathname)).toEqual(Object.fromEntries(names.map((name) => [name, number])));
    });
  },
);

it("tests routes of orders, refunds, setup and operators", () => {
  expect(parameterized.length).toBeGreaterThan(15);
});

it("accepts a percent-encoded number, and no segment that cannot be decoded", async () => {
  const { surface } = openDashboard();
  const statusOf = async (number: string) =>
    (await send(surface, { path: `/api/orders/a/${number}` })).status;
  expect(await statusOf("a%2Fb")).toBe(401);
  expect(await statusOf("%zz")).toBe(404);
});
