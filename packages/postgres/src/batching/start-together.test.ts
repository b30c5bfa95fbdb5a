import { expect, it } from "vitest";
import { startTogether } from "./start-together.js";

/** Runs calls that settle when the test ends them. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, (result: Promise<string>) => void>();
  const run = (call: string): Promise<string> => {
    started.push(call);
    return new Promise((resolve) => ends.set(call, resolve));
  };
  const end = (call: string, result: Promise<string> = Promise.resolve(call)) => ends.get(call)?.(result);
  return { started, run, end };
}

it("startTogether starts the calls of a turn together, and later calls when these calls have settled", async () => {
  const { started, run, end } = controlled();
  const call = startTogether(run);
  const results = [call("a"), call("b")];
  await expect.poll(() => started).toEqual(["a", "b"]);
  results.push(call("c"), call("d"));
  end("a");
  expect(await results[0]).toBe("a");
  expect(started).toEqual(["a", "b"]);
  end("b");
  await expect.poll(() => started).toEqual(["a", "b", "c", "d"]);
  end("c");
  end("d");
  expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
});

it("startTogether does not let a call that hangs delay later calls for long", async () => {
  const { started, run, end } = controlled();
  const call = startTogether(run);
  void call("hangs");
  await expect.poll(() => started).toEqual(["hangs"]);
  const later = call("later");
  await expect.poll(() => started).toEqual(["hangs", "later"]);
  end("later");
  expect(await later).toBe("later");
});

it("startTogether rejects only the call that fails", async () => {
  const { started, run, end } = controlled();
  const call = startTogether(run);
  const [first, second] = [call("first"), call("second")];
  await expect.poll(() => started).toHaveLength(2);
  end("first", Promise.reject(new Error("refused")));
  await expect(first).rejects.toThrow("refused");
  end("second");
  expect(await second).toBe("second");
});
