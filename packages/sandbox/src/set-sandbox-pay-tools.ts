import { isDeepStrictEqual } from "node:util";
import { type App, configurePayTool, type Ports } from "@tillkit/core";
import type { Failure } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { Sandbox } from "./open-sandbox.js";
import type { SandboxPayTool } from "./pay-tools.js";

type PayToolPorts = Pick<Ports, "apps" | "payTools" | "wallets" | "clock" | "random">;

/**
 * Gives each app the pay tools of the sandbox, so that its customers can pay there.
 *
 * Sets a pay tool for each channel that has none. Renews the keys of a pay tool of the sandbox:
 * without a state file, they differ after each start. Other pay tools stay as they are. Call it
 * every few seconds, so that it also handles apps that were created after the start.
 *
 * @param handled - ids of apps to leave out. Each call adds the apps that it has handled.
 * @returns how many of the handled apps pay at the sandbox. If it fails for an app, it continues
 *   with the other apps, and then returns the failure.
 * @example
 * ```ts
 * import { createTillkit, type TillkitOptions } from "@tillkit/host";
 * import { openSandbox, setSandboxPayTools } from "@tillkit/sandbox";
 *
 * declare const parts: TillkitOptions;
 *
 * const sandbox = await openSandbox();
 * const handled = new Set<string>();
 * const step = () =>
 *   setSandboxPayTools(tillkit.ports, sandbox, handled).map(() => ({ more: false }));
 * const tillkit = createTillkit({
 *   ...parts,
 *   background: { tasks: { "sandbox-pay-tools": { step, everyMs: 2_000 } } },
 * });
 * ```
 */
export function setSandboxPayTools(
  ports: PayToolPorts,
  sandbox: Pick<Sandbox, "payTools">,
  handled = new Set<string>(),
): ResultAsync<number, Failure> {
  return new ResultAsync(setMissing(ports, Object.values(sandbox.payTools), handled));
}

async function setMissing(
  ports: PayToolPorts,
  payTools: readonly SandboxPayTool[],
  handled: Set<string>,
): Promise<Result<number, Failure>> {
  const apps = await ports.apps.list();
  if (apps.isErr()) return err(apps.error);
  let count = 0;
  let failure: Failure | undefined;
  for (const app of apps.value) {
    if (app.disabled || handled.has(app.appId)) continue;
    const usable = await ResultAsync.combine(
      payTools.map((payTool) => new ResultAsync(setOne(ports, app, payTool))),
    );
    if (usable.isErr()) {
      failure = usable.error;
      continue;
    }
    handled.add(app.appId);
    if (usable.value.includes(true)) count += 1;
  }
  return failure === undefined ? ok(count) : err(failure);
}

/** Returns whether the app has `wanted`, after setting it if its channel has no other pay tool. */
async function setOne(
  ports: PayToolPorts,
  { appId }: Pick<App, "appId">,
  wanted: SandboxPayTool,
): Promise<Result<boolean, Failure>> {
  const list = await ports.payTools.list(appId);
  if (list.isErr()) return err(list.error);
  const known = list.value.find(({ payChannel }) => payChannel === wanted.payChannel);
  if (known !== undefined && !isOfSandbox(known, wanted)) return ok(false);
  // Credentials that cannot be decrypted are replaced too.
  const stored = (await ports.payTools.current(appId, wanted.payChannel)).unwrapOr(undefined);
  if (isDeepStrictEqual(stored?.credentials, wanted.credentials)) return ok(true);
  const { walletOptions } = known ?? {};
  return configurePayTool(ports, appId, {
    ...wanted,
    ...(walletOptions === undefined ? {} : { walletOptions }),
  }).map(() => true);
}

function isOfSandbox(
  known: Pick<SandboxPayTool, "appEnv" | "accountId" | "walletAppId">,
  wanted: SandboxPayTool,
): boolean {
  return (
    known.appEnv === wanted.appEnv &&
    known.accountId === wanted.accountId &&
    known.walletAppId === wanted.walletAppId
  );
}
