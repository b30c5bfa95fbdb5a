import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Io } from "./io.js";

const HOST_FILE = join(".tillkit", "host.json");

/** The addresses in the `host.json` of a development host: its sandbox and its operators' page. */
export const hostFile = z.object({
  sandbox: z.object({ control: z.string() }),
  dashboard: z.object({ url: z.string() }).optional(),
});

/**
 * Returns the sentence about the development host that uses this folder, with a space before it.
 *
 * For a command without settings. Returns an empty text if there is no such host.
 */
export function developmentHostHint({ hostFile: file = HOST_FILE }: Pick<Io, "hostFile">): string {
  const server = serverIn(file);
  if (server === undefined) return "";
  const folder = dirname(file);
  return ` A development host uses this folder: add \`--server ${server}\`. For a command without --server, stop the host, and set DATA_DIR=${folder} and TILLKIT_KEYS_FILE=${join(folder, "keys.json")}.`;
}

/** Returns the address of the operators' page of the host that wrote `file`. */
function serverIn(file: string): string | undefined {
  try {
    const { sandbox, dashboard } = hostFile.parse(JSON.parse(readFileSync(file, "utf8")));
    // A host without accounts of operators serves its page beside the control interface.
    return dashboard?.url ?? new URL("/dashboard", sandbox.control).href;
  } catch {
    return undefined;
  }
}
