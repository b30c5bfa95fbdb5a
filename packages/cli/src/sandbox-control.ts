import { isError } from "@tillkit/core/errors";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { hostFile } from "./development-host.js";
import { type CliFailure, failure, reasonOf, usage } from "./failure.js";

/** How long a sandbox may take to answer, in milliseconds. It calls the host meanwhile. */
const ANSWER_MS = 60_000;

const refusal = z.object({ error: z.string() });

/** Where the sandbox of a command is, as the user typed it. */
export interface SandboxOptions {
  readonly control?: string | undefined;
  readonly dataDir: string;
}

/** A call of the control interface of a sandbox. A call with a `body` is a POST. */
export interface SandboxCall {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Sends a call to the sandbox, and returns its answer.
 *
 * Finds the sandbox of a development host by the `host.json` in its data folder.
 */
export function callSandbox<T>(
  options: SandboxOptions,
  call: SandboxCall,
  schema: z.ZodType<T>,
): ResultAsync<T, CliFailure> {
  return new ResultAsync(controlOf(options)).andThen(
    (control) => new ResultAsync(send(control, call, schema)),
  );
}

async function controlOf({ control, dataDir }: SandboxOptions): Promise<Result<string, CliFailure>> {
  if (control !== undefined)
    return /^https?:\/\//.test(control) && URL.canParse(control)
      ? ok(control.replace(/\/+$/, ""))
      : err(usage("--control must be an address such as http://127.0.0.1:8787/sandbox."));
  const file = join(dataDir, "host.json");
  const missing = `There is no sandbox: ${file} cannot be read. Start a development host in this folder, such as \`tillkit dev\`, name its data folder with --data-dir, or name the address of a sandbox with --control.`;
  try {
    return ok(hostFile.parse(JSON.parse(await readFile(file, "utf8"))).sandbox.control);
  } catch {
    return err(failure("unavailable", "sandbox.unknown", missing));
  }
}

async function send<T>(
  control: string,
  { path, query = {}, body }: SandboxCall,
  schema: z.ZodType<T>,
): Promise<Result<T, CliFailure>> {
  const url = new URL(`${control}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  let json: unknown;
  let isSuccess: boolean;
  try {
    const response = await fetch(url, {
      ...(body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    isSuccess = response.ok;
    json = await response.json();
  } catch (error) {
    const reason = reasonOf(isError(error) ? (error.cause ?? error) : error);
    return err(
      failure(
        "unavailable",
        "sandbox.unreachable",
        `The sandbox ${control} gave no answer (${reason}). Start the development host of this folder, such as \`tillkit dev\`, or name the address of a running sandbox with --control.`,
      ),
    );
  }
  const refused = refusal.safeParse(json);
  if (!isSuccess && refused.success) return err(failure("refused", "sandbox.refused", refused.data.error));
  const answer = schema.safeParse(json);
  return isSuccess && answer.success
    ? ok(answer.data)
    : err(
        failure(
          "schema",
          "sandbox.unsupported",
          `${control} is not the control address of a sandbox that this version of tillkit knows. The host.json of a development host has the address in sandbox.control.`,
        ),
      );
}
