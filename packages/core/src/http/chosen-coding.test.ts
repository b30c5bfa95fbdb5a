import fc from "fast-check";
import { expect, it } from "vitest";
import { chosenCoding } from "./chosen-coding.js";

const OFFERED = ["br", "gzip"] as const;

function chosen(accepted: string | undefined, offered: readonly ("br" | "gzip")[] = OFFERED) {
  const headers = new Headers(accepted === undefined ? {} : { "accept-encoding": accepted });
  return chosenCoding({ headers }, offered);
}

it.each([
  [undefined, undefined, false],
  ["", undefined, false],
  ["identity", undefined, false],
  ["gzip", "gzip", false],
  ["GZIP", "gzip", false],
  ["x-gzip", "gzip", false],
  ["gzip, deflate, br, zstd", "br", false],
  ["deflate, zstd", undefined, false],
  ["br;q=0.1, gzip;q=0.2", "gzip", false],
  ["br;q=0.2, gzip;q=0.2", "br", false],
  ["br ; q=0.5 , gzip\t;\tQ=0.501", "gzip", false],
  ["br;q=0, gzip;q=0.001", "gzip", false],
  ["br;q=0.000, gzip;q=0", undefined, false],
  ["*", "br", false],
  ["*;q=0.5, br;q=0.1", "gzip", false],
  ["br;q=0, *", "gzip", false],
  ["gzip;q=0.5, identity", undefined, false],
  ["gzip;q=0.5, identity;q=0.5", "gzip", false],
  ["gzip;q=0.5, identity;q=0.4", "gzip", false],
  ["identity;q=0", undefined, true],
  ["*;q=0", undefined, true],
  ["*;q=0, gzip", "gzip", true],
  ["identity;q=0, *;q=0.1", "br", true],
  ["identity, *;q=0", undefined, false],
  // An entry that cannot be parsed is ignored.
  ["gzip;q=2", undefined, false],
  ["gzip;q=0.1234", undefined, false],
  ["gzip;level=9", undefined, false],
  ["br gzip", undefined, false],
  [",, ,gzip;q=1.000,", "gzip", false],
] as const)("reads %j as %s, plain refused: %s", (accepted, coding, isPlainRefused) => {
  expect(chosen(accepted)).toEqual(coding === undefined ? { isPlainRefused } : { coding, isPlainRefused });
});

it("chooses only what is offered", () => {
  expect(chosen("br, gzip;q=0.1", ["gzip"])).toEqual({ coding: "gzip", isPlainRefused: false });
  expect(chosen("br, gzip", [])).toEqual({ isPlainRefused: false });
  expect(chosen("br, gzip", ["gzip", "br"])).toMatchObject({ coding: "gzip" });
});

it("never chooses a coding that the client refuses, for any header", () => {
  const name = fc.constantFrom("br", "gzip", "x-gzip", "identity", "*", "deflate", "", "\u0001");
  const weight = fc.constantFrom("", ";q=0", ";q=0.0", ";q=0.3", ";q=1", ";q=", ";q=x", "; q=0.7");
  const member = fc.tuple(name, weight).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), (members) => {
      const headers = { get: () => members.join(", ") };
      const { coding } = chosenCoding({ headers }, OFFERED);
      const isNamed = members.some((one) => one.startsWith(coding ?? "-") || /^\*|^x-gzip/.test(one));
      expect(coding === undefined || isNamed).toBe(true);
      const last = members.findLast((one) => /^(?:x-)?gzip(?:; ?q=[01](?:\.\d)?)?$/.test(one));
      if (last !== undefined && /q=0(?:\.0)?$/.test(last)) expect(coding).not.toBe("gzip");
    }),
  );
});

it("reads a very large header quickly", () => {
  const started = performance.now();
  for (const part of ["gzip;q=0.1,", ";;;;", "a ;", "*".repeat(3)])
    chosenCoding({ headers: { get: () => part.repeat(20_000) } }, OFFERED);
  expect(performance.now() - started).toBeLessThan(2_000);
});
