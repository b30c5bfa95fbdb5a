import { expect, it } from "vitest";
import { atMostAtOnce } from "./at-most-at-once.js";

/** Runs six pieces of work, two at a time. `ends` ends each piece. */
function sixPieces() {
  const limited = atMostAtOnce(2);
  const started: number[] = [];
  const ends: ((how: "well" | "badly") => void)[] = [];
  const results = Array.from({ length: 6 }, (_, piece) =>
    limited(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(piece);
          ends[piece] = (how) => (how === "well" ? resolve(piece) : reject(new Error("badly")));
        }),
    ),
  );
  return { started, ends, results };
}

it("starts two pieces at a time, in the order of the calls", async () => {
  const { started, ends, results } = sixPieces();
  expect(started).toEqual([0, 1]);
  ends[1]?.("well");
  await results[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (const piece of [0, 2, 3, 4, 5]) {
    ends[piece]?.("well");
    expect(await results[piece]).toBe(piece);
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
});

it("continues after a piece that fails", async () => {
  const { started, ends, results } = sixPieces();
  ends[0]?.("badly");
  ends[1]?.("badly");
  await expect(results[0]).rejects.toThrow("badly");
  await expect(results[1]).rejects.toThrow("badly");
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2, 3]);
  for (const piece of [2, 3, 4, 5]) {
    ends[piece]?.("well");
    await results[piece];
  }
});
