import { setImmediate } from "node:timers/promises";

const HOLDERS: Readonly<Record<string, object>> = {
  "Object.prototype": Object.prototype,
  "Array.prototype": Array.prototype,
  "Function.prototype": Function.prototype,
  "String.prototype": String.prototype,
  "Number.prototype": Number.prototype,
  "Promise.prototype": Promise.prototype,
  "Map.prototype": Map.prototype,
  "Set.prototype": Set.prototype,
  "RegExp.prototype": RegExp.prototype,
  "Error.prototype": Error.prototype,
  "Uint8Array.prototype": Uint8Array.prototype,
  Object,
  Reflect,
  JSON,
};

/** Runs `work`. Fails if a built-in object was changed or an error was not awaited. */
export async function watched(work: () => Promise<void>): Promise<void> {
  const before = built();
  const accidents: unknown[] = [];
  const note = (accident: unknown) => void accidents.push(accident);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  try {
    await work();
    // Unhandled rejections are reported one turn later.
    await setImmediate();
  } finally {
    process.off("unhandledRejection", note).off("uncaughtException", note);
    const changes = mended(before);
    if (changes.length > 0) accidents.push(new Error(`${changes.join(", ")} changed`));
    if (accidents.length > 0) accident(accidents[0]);
  }
}

function accident(cause: unknown): never {
  const words = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  throw new Error(`something else than the response failed: ${words}`, { cause });
}

type Built = readonly (readonly [name: string, holder: object, members: ReadonlyMap<PropertyKey, unknown>])[];

function built(): Built {
  return Object.entries(HOLDERS).map(([name, holder]) => [name, holder, membersOf(holder)]);
}

function membersOf(holder: object): ReadonlyMap<PropertyKey, unknown> {
  return new Map(
    Reflect.ownKeys(holder).map((key) => [key, Reflect.getOwnPropertyDescriptor(holder, key)?.value]),
  );
}

/** Removes added members and returns the names of all changed ones. */
function mended(before: Built): readonly string[] {
  return before.flatMap(([name, holder, members]) => {
    const now = membersOf(holder);
    const added = [...now.keys()].filter((key) => !members.has(key));
    for (const key of added) Reflect.deleteProperty(holder, key);
    const other = [...members].filter(([key, value]) => now.get(key) !== value).map(([key]) => key);
    return [...added, ...other].map((key) => `${name}.${String(key)}`);
  });
}
