import type { Mutant } from "../mutant.js";
const FIND_CACHED = "packages/core/src/pay-tools/with-provider.ts";
const TTL_CACHE = "packages/postgres/src/caching/ttl-cache.ts";
const CACHING_STORES = "packages/postgres/src/caching/caching-stores.ts";
const FIND_APP = "packages/core/src/apps/find-app.ts";

/** Why the memory stores have no mutant of the same rule: they need no cache. */
const NO_CACHE_IN_MEMORY = "stores in memory have no cache";
const CACHE = "limits the age and the size of the cache of a process";

/** Mutants of the caches of a process, and of what may rely on cached values. */
export const CACHING: readonly Mutant[] = [
  {
    name: "memory-outlives-a-change",
    guards: "the cache returns no value from before a change by this process",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "stored.clear();",
    replace: "",
  },
  {
    name: "memory-without-an-age",
    guards: "a change by another process takes effect within a second",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "now() - since <= LONGEST",
    replace: "now() - since <= Infinity",
  },
  {
    name: "memory-ages-from-the-answer",
    guards: "the age of a cached value counts from the start of the lookup",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "keep(key, value, since);",
    replace: "keep(key, value, now());",
  },
  {
    name: "memory-of-a-look-up-before-a-change",
    guards: "a lookup that started before a change caches nothing",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "if (undisturbed && changes === before) keep",
    replace: "if (undisturbed) keep",
  },
  {
    name: "memory-of-a-look-up-during-a-change",
    guards: "a lookup that started during a change caches nothing",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "if (undisturbed && changes === before) keep",
    replace: "if (changes === before) keep",
  },
  {
    name: "memory-goes-back",
    guards: "an older lookup does not replace the result of a newer one",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "if ((stored.get(key)?.since ?? since) > since) return;",
    replace: "",
  },
  {
    name: "memory-without-bound",
    guards: "the cache has a limited size",
    file: TTL_CACHE,
    onlyHere: NO_CACHE_IN_MEMORY,
    keepsNoPromise: CACHE,
    find: "stored.size <= MOST && isFresh(until)",
    replace: "isFresh(until)",
  },
  {
    name: "lock-out-forgets-nothing",
    guards: "disabling an app takes effect at once in the same process",
    file: CACHING_STORES,
    onlyHere: NO_CACHE_IN_MEMORY,
    find: "setDisabled: (...given) => memory.change(() => store.setDisabled(...given)),",
    replace: "setDisabled: (...given) => store.setDisabled(...given),",
  },
  {
    name: "rules-forget-nothing",
    guards: "a change of an app's rules takes hold at once in the process that makes it",
    file: CACHING_STORES,
    onlyHere: NO_CACHE_IN_MEMORY,
    find: "setRules: (...given) => memory.change(() => store.setRules(...given)),",
    replace: "setRules: (...given) => store.setRules(...given),",
  },
  {
    name: "rotation-forgets-nothing",
    guards: "the end of a secret takes effect at once in the process that sets it",
    file: CACHING_STORES,
    onlyHere: NO_CACHE_IN_MEMORY,
    find: "addSecret: (...given) => memory.change(() => store.addSecret(...given)),",
    replace: "addSecret: (...given) => store.addSecret(...given),",
  },
  {
    name: "put-forgets-nothing",
    guards: "a new account takes effect at once in the process that sets it",
    file: CACHING_STORES,
    onlyHere: NO_CACHE_IN_MEMORY,
    find: "memory.change(() => store.put(...given))",
    replace: "store.put(...given)",
  },
  {
    name: "refusal-rests-on-memory",
    guards: "only a value from storage can refuse an app, never a cached value",
    file: FIND_APP,
    find: "if (grants(cached)) return okAsync(cached);",
    replace: "if (cached !== undefined) return okAsync(grants(cached) ? cached : undefined);",
  },
  {
    name: "unknown-app-is-less-work",
    guards: "an unknown app and a wrong secret cost the same work",
    file: FIND_APP,
    find: "if (grants(cached)) return",
    replace: "if (cached !== undefined && grants(cached)) return",
  },
  {
    name: "unready-pay-tool-recalled",
    guards: "a cached pay tool that is not ready does not cause a refusal",
    file: "packages/core/src/pay-tools/require-ready-pay-tool.ts",
    find: 'if (cached?.signStatus === "OK") return withProvider(cachedFirst(payTools), cached);',
    replace: "if (cached !== undefined) return requireReadyPayTool(cached);",
  },
  {
    name: "unready-account-recalled",
    guards: "a cached account that is not ready is looked up again",
    file: FIND_CACHED,
    find: 'cached?.signStatus === "OK" ?',
    replace: "cached !== undefined ?",
  },
];
