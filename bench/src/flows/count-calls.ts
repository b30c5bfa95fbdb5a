import { Session } from "node:inspector/promises";

/** What ran during a piece of work. */
export interface Calls {
  /** The source files with a function that ran, by their paths in the repository. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** The functions that ran and count: see `isCounted`. */
  readonly functions: number;
}

const REPOSITORY = new URL("../../../", import.meta.url).href;
/** The simulated wallets run in this process, too, but are no part of a host. */
const IS_COUNTED = /^packages\/(?!internal\/|sandbox\/|contract-tests\/)[^/]+\/src\/(?!.*testing\/)/;

/**
 * Returns whether a function counts by itself: a declaration, or a method in short form.
 *
 * Arrow functions and the module itself do not count. The compiler hides the names of arrow
 * functions, and V8 gives some of them the path of what they are assigned to, such as
 * `parameters.refine.path`. The compiler's helpers begin with two underscores.
 */
function isCounted(name: string): boolean {
  return name !== "" && !name.includes(".") && !name.startsWith("__");
}

/** Opens a counter of the named functions of Tillkit that run, by precise coverage of V8. */
export async function openCallCounter() {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    /** Runs `work` and returns what ran meanwhile. Nothing else may run. */
    during: async (work: () => Promise<unknown>): Promise<Calls> => {
      // Each reading starts the counts anew.
      await session.post("Profiler.takePreciseCoverage");
      await work();
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const files = new Map<string, readonly string[]>();
      for (const { url, functions } of result) {
        const path = url.startsWith(REPOSITORY) ? url.slice(REPOSITORY.length).replace(/\?.*$/, "") : "";
        if (!IS_COUNTED.test(path)) continue;
        const ran = functions
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => functionName)
          .filter(isCounted);
        if (ran.length > 0) files.set(path, ran);
      }
      return { files, functions: [...files.values()].reduce((sum, ran) => sum + ran.length, 0) };
    },
    close: () => session.disconnect(),
  };
}
