import { root, runOrThrow } from "@tillkit/repository";

/** A registry that receives packages. */
export interface NpmRegistry {
  /** The address, with a trailing slash. */
  readonly url: string;
  /** The environment of npm, pnpm and Yarn 1 that install from this registry, and publish to it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the registry at `url`, for a holder of `token`. */
export function registryAt(url: string, token: string): NpmRegistry {
  const place = url.slice(url.indexOf("//"));
  const env = { npm_config_registry: url, pnpm_config_registry: url };
  return { url, env: { ...env, [`npm_config_${place}:_authToken`]: token } };
}

/** Returns the address of the registry that npm uses on this machine, with a trailing slash. */
export async function configuredRegistry(): Promise<string> {
  const url = (await runOrThrow("npm", ["config", "get", "registry"], root)).trim();
  return url.endsWith("/") ? url : `${url}/`;
}
