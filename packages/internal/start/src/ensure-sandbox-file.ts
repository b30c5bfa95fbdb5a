import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { openSandbox } from "@tillkit/sandbox";

/**
 * Writes the state of a new sandbox into `folder`, unless it has been written. It contains keys.
 *
 * Generating the keys takes longer than the rest of a start. Hosts on this machine share these
 * keys, which protect no money. The host's own keys are never shared.
 *
 * @returns the path of the file.
 */
export async function ensureSandboxFile(folder: string): Promise<string> {
  const file = join(folder, "new.sandbox.jsonl");
  if (existsSync(file)) return file;
  const unfinished = `${file}.${randomUUID()}`;
  const sandbox = await openSandbox({ stateFile: unfinished });
  await sandbox.close();
  await rename(unfinished, file);
  return file;
}
