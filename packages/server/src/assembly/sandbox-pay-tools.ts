import { isDeepStrictEqual } from "node:util";
import { type App, configurePayTool, orThrow } from "@tillkit/core";
import type { Sandbox } from "@tillkit/sandbox";

/** One pay tool of the sandbox. */
type SandboxPayTool = Sandbox["payTools"]["WALLET_A"];

/**
 * Gives each app the pay tools of the sandbox, so that its customers can pay there.
 *
 * Sets a pay tool for each channel that has none. Renews the keys of a pay tool of the sandbox:
 * without `SANDBOX_STATE_FILE`, they differ after each start. Other pay tools stay as they are.
 * Throws if the storage fails.
 *
 * @returns how many apps pay at the sandbox.
 */
export async function setSandboxPayTools(
  ports: Parameters<typeof configurePayTool>[0],
  { payTools }: Pick<Sandbox, "payTools">,
): Promise<number> {
  let count = 0;
  for (const app of await orThrow(ports.apps.list())) {
    if (app.disabled) continue;
    const usable = await Promise.all(Object.values(payTools).map((payTool) => isSet(ports, app, payTool)));
    if (usable.includes(true)) count += 1;
  }
  return count;
}

/** Returns whether the app has `wanted`, after setting it if its channel has no other pay tool. */
async function isSet(
  ports: Parameters<typeof configurePayTool>[0],
  { appId }: Pick<App, "appId">,
  wanted: SandboxPayTool,
): Promise<boolean> {
  const known = (await orThrow(ports.payTools.list(appId))).find(
    ({ payChannel }) => payChannel === wanted.payChannel,
  );
  if (known !== undefined && !isOfSandbox(known, wanted)) return false;
  // Credentials that cannot be decrypted are replaced too.
  const stored = (await ports.payTools.current(appId, wanted.payChannel)).unwrapOr(undefined);
  if (isDeepStrictEqual(stored?.credentials, wanted.credentials)) return true;
  const { walletOptions } = known ?? {};
  await orThrow(
    configurePayTool(ports, appId, { ...wanted, ...(walletOptions === undefined ? {} : { walletOptions }) }),
  );
  return true;
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
