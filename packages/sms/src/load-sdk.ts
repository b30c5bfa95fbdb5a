import { fieldOf } from "./field-of.js";

/**
 * Loads the SDK of a carrier. `load` imports it with `webpackIgnore`, because webpack and
 * Turbopack report an optional package that is not installed as an error.
 *
 * Rejects with the `npm install` command if the SDK is not installed.
 *
 * @param packages - the packages to install, separated by spaces.
 */
export async function loadSdk<Sdk>(packages: string, load: () => Promise<Sdk>): Promise<Sdk> {
  try {
    return await load();
  } catch (thrown) {
    if (!["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(String(fieldOf(thrown, "code")))) throw thrown;
    throw new Error(`The SDK of the SMS carrier is not installed. Run: npm install ${packages}`, {
      cause: thrown,
    });
  }
}
