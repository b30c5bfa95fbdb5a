import { mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openSandbox, type Sandbox, type SandboxOptions } from "./open-sandbox.js";
import { serve, type WireOutcome, type WireRequest } from "./wire/serve.js";

/** How to start a sandbox that listens for control calls. */
export interface StartSandboxOptions extends SandboxOptions {
  /** The port of the control interface on 127.0.0.1. Defaults to a free port. */
  readonly controlPort?: number;
  /**
   * A file that receives what a host needs to connect, including private keys.
   *
   * Created with mode 0600, with its folder.
   */
  readonly factsFile?: string;
  /**
   * A folder that receives `wallet-a.json` and `wallet-b.json`, for `tillkit pay-tools set`.
   *
   * Created with mode 0600, because they contain private keys.
   */
  readonly payToolsFolder?: string;
}

/** A sandbox whose control interface listens on a port. */
export interface RunningSandbox extends Sandbox {
  /** The URL of the control interface: `{controlUrl}/pay` pays an order. */
  readonly controlUrl: string;
}

/**
 * Starts a sandbox with its control interface on a port of 127.0.0.1.
 *
 * Run it in a separate process if the wallets must survive a crash of the host. Throws in the same
 * cases as {@link openSandbox}.
 *
 * @returns the running sandbox with the URL of its control interface. Close it at the end.
 * @example
 * ```ts
 * import { startSandbox } from "@tillkit/sandbox";
 *
 * const sandbox = await startSandbox({ controlPort: 8081, factsFile: ".sandbox/facts.json" });
 * console.log(sandbox.controlUrl);
 * ```
 */
export async function startSandbox(options: StartSandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await openSandbox(options);
  const served = await serve({ port: options.controlPort ?? 0, alive: true }, (request) =>
    controlled(sandbox, request),
  );
  const controlUrl = `http://127.0.0.1:${served.port}`;
  const close = async () => {
    await served.close();
    await sandbox.close();
  };
  if (options.factsFile !== undefined) {
    const { addresses, merchant, payTools, keys } = sandbox;
    await writePrivately(options.factsFile, { control: controlUrl, addresses, merchant, payTools, keys });
  }
  if (options.payToolsFolder !== undefined) {
    const { WALLET_A, WALLET_B } = sandbox.payTools;
    await writePrivately(join(options.payToolsFolder, "wallet-a.json"), WALLET_A);
    await writePrivately(join(options.payToolsFolder, "wallet-b.json"), WALLET_B);
  }
  return { ...sandbox, controlUrl, close };
}

async function controlled({ control }: Sandbox, request: WireRequest): Promise<WireOutcome> {
  const [path = "", query = ""] = request.target.split(/\?(.*)/s);
  const { method, headers, body } = request;
  return { kind: "reply", reply: await control.handle({ method, path, query, headers, body }) };
}

// The rename is atomic, so a reader never sees a partial file.
async function writePrivately(file: string, facts: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // If `file` is a symbolic link, its target is replaced and the link stays.
  const target = await realpath(file).catch(() => file);
  await writeFile(`${target}.new`, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(`${target}.new`, target);
}
