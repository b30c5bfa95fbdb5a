import type { Workspace } from "@tillkit/repository";

/**
 * Returns why the packages must not be published now, or `undefined` if they may be.
 *
 * Only the release workflow publishes, from a tag such as `v0.1.0`, after `npm run version`.
 *
 * @param changesets - the files of changes that no version has yet.
 */
export function refusal(
  packages: readonly Workspace[],
  changesets: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const version = packages[0]?.version ?? "0.0.0";
  if (env["CI"] !== "true" || env["GITHUB_REF_TYPE"] !== "tag")
    return "Only the release workflow publishes. Push a tag, or rehearse with npm run release -- --dry-run.";
  if (changesets.length > 0)
    return `These changes have no version: ${changesets.join(", ")}. Run npm run version, and tag its commit.`;
  if (env["GITHUB_REF_NAME"] !== `v${version}`)
    return `The packages have the version ${version}. Push the tag v${version}, not ${env["GITHUB_REF_NAME"]}.`;
  if (!env["NPM_TOKEN"]) return "Set NPM_TOKEN to a token that may publish the packages.";
  return undefined;
}
