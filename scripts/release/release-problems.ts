import type { PackedPackage } from "../lib/pack.js";

/** Returns what is wrong with packages that are released together: change logs and versions. */
export function releaseProblems(packages: readonly PackedPackage[]): readonly string[] {
  const versions = new Set(packages.map(({ workspace }) => workspace.version));
  const names = new Set(packages.map(({ workspace }) => workspace.name));
  return [
    ...(versions.size === 1 ? [] : [`The versions differ: ${[...versions].join(", ")}`]),
    ...packages.flatMap(({ workspace: { name, version, dependencies, peerDependencies }, files }) => [
      ...(version === "0.0.0" ? [`${name} has no version. Run npm run version.`] : []),
      ...(files.includes("CHANGELOG.md") ? [] : [`${name} has no CHANGELOG.md in its tarball`]),
      ...Object.entries({ ...dependencies, ...peerDependencies })
        .filter(([other, range]) => names.has(other) && range !== `^${version}`)
        .map(([other, range]) => `${name} needs ${other} ${range}, not ^${version}`),
    ]),
  ];
}
